internal import EventSourcing
internal import FastJSON

/// What a dragger is told.
public struct DragOutcome: Sendable, Equatable {
  enum Stage: Sendable, Equatable {
    case began
    /// - Parameters:
    ///   - allowed: whether a drop would count; where not, it leaves the item in its place.
    ///   - redirected: whether the item would land elsewhere than it is held, as the section there
    ///     does not take it.
    case over(allowed: Bool, redirected: Bool)
    case dropped(moved: Bool, allowed: Bool, redirected: Bool)
    case cancelled
  }

  let session: CommandID
  let item: ItemID
  /// Where the item lands, or would.
  let place: ItemPlace
  let stage: Stage

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session.description)
    writer.member("item", item)
    writer.member("section", place.section)
    writer.member("after", nullable: place.after)
    switch stage {
    case .began:
      writer.key("lease")
      writer.value(DragSessions.leaseSeconds)
    case .over(let allowed, let redirected):
      writer.member("allowed", allowed)
      writer.member("redirected", redirected)
    case .dropped(let moved, let allowed, let redirected):
      writer.member("moved", moved)
      writer.member("allowed", allowed)
      writer.member("redirected", redirected)
    case .cancelled: break
    }
    writer.endObject()
  }
}
