public import EventSourcing
internal import FastJSON

/// The item that comes after a completed one that repeats.
public struct NextItem: Sendable, Equatable {
  public let item: ItemID
  public let due: Timestamp

  public init(_ item: ItemID, due: Timestamp) {
    self.item = item
    self.due = due
  }

  /// Writes it as the member `next` of an object that was begun.
  func write(to writer: inout JSONWriter) {
    writer.key("next")
    writer.beginObject()
    writer.member("item", item)
    writer.key("due")
    writer.value(due)
    writer.endObject()
  }
}
