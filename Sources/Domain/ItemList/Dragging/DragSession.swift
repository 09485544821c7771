internal import EventSourcing
internal import FastJSON

/// An item on its way, held by somebody.
struct DragSession: Sendable, Equatable {
  /// Where an item is held.
  struct Hover: Sendable, Equatable {
    var place: ItemPlace
    /// The item below that place then: it tells where the place is once the item above has left.
    var below: ItemID?
  }

  let name: CommandID
  let item: ItemID
  /// Whether it was completed when it was picked up.
  let wasCompleted: Bool
  /// Who drags, as the last message that said so did.
  var by: String?
  /// Nil for the item's own place, wherever that comes to be.
  var hover: Hover?
  /// When the session ends unless there is a message, in milliseconds of the monotonic clock.
  var deadline: Int
}

/// How a drag ended.
enum DragEnd: Sendable, Equatable {
  case dropped(ItemPlace, moved: Bool)
  case cancelled
  case expired
  /// The item cannot be dragged any more.
  case gone(reason: String)

  /// As previews say it.
  var name: String {
    switch self {
    case .dropped: "dropped"
    case .cancelled: "cancelled"
    case .expired: "expired"
    case .gone: "gone"
    }
  }

  /// As whoever comes too late is told.
  var reason: String {
    switch self {
    case .dropped: "it was dropped"
    case .cancelled: "it was cancelled"
    case .expired: "there was no message of it for \(DragSessions.leaseSeconds) seconds"
    case .gone(let reason): reason
    }
  }
}

extension DragSession {
  /// That the item is held at `place`.
  func preview(at place: ItemPlace) -> LivePreview {
    LivePreview(
      json {
        $0.member("section", place.section)
        $0.member("after", nullable: place.after)
      }, ifUnwritten: nil)
  }

  /// That the drag is over.
  func preview(of end: DragEnd) -> LivePreview {
    let gone = json { $0.member("ended", DragEnd.gone(reason: "").name) }
    guard case .dropped(let place, let moved) = end else {
      let object = json { $0.member("ended", end.name) }
      return LivePreview(object, ifUnwritten: object)
    }
    let object = json {
      $0.member("ended", end.name)
      $0.member("section", place.section)
      $0.member("after", nullable: place.after)
      $0.member("moved", moved)
    }
    return LivePreview(object, ifUnwritten: gone)
  }

  private func json(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(capacity: 128)
    writer.beginObject()
    writer.member("session", name.description)
    writer.member("item", item)
    body(&writer)
    writer.member("by", ifGiven: by)
    writer.endObject()
    return writer.take()
  }
}
