public import FastJSON

/// An item of a list on its way, as somebody drags it: best effort, and in no event before it is
/// dropped.
public struct DragPreview: Sendable, Equatable {
  /// How a drag ended.
  public enum End: String, Sendable {
    case dropped
    case cancelled
    /// There was no message of it for too long.
    case expired
    /// The item cannot be dragged any more.
    case gone
  }

  public let stream: String
  /// The drag's name.
  public let session: String
  public let item: Int
  /// Where the item would land, or was dropped; nil where it stays, or is gone.
  public let section: Int?
  /// The item above; nil for the top of the section.
  public let after: Int?
  /// Who drags, where they said so.
  public let by: String?
  /// Nil while it goes on.
  public let ended: End?
  /// The preview's own JSON.
  public let json: JSON

  init(_ json: JSON) throws(ClientError) {
    guard let stream = json["stream"]?.string, let session = json["session"]?.string,
      let item = json["item"]?.integer
    else { throw .unexpectedAnswer("it is no preview of a drag") }
    self.stream = stream
    self.session = session
    self.item = item
    section = json["section"]?.integer
    after = json["after"]?.integer
    by = json["by"]?.string
    ended = json["ended"]?.string.flatMap { End(rawValue: $0) }
    self.json = json
  }
}
