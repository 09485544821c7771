internal import EventSourcing

/// What one event changed, and what was there before.
protocol UndoStep: Sendable, Equatable {
  associatedtype Row: NumberedID

  /// The mail or item that the step is about; nil for what is about a part, or the whole stream.
  var row: Row? { get }

  /// Calls `body` with each field that the event touched.
  func forEachField(_ body: (UndoField) -> Void)

  /// Why the event cannot be taken back, as a sentence without subject; nil where it can be.
  var refusal: String? { get }

  /// The text that the step holds, and whose it is; nil for most.
  var text: (holder: UInt32, byteCount: Int)? { get }

  /// Forgets that text: its holder is gone for good.
  mutating func dropText()

  func write(to writer: inout SnapshotWriter)

  /// - Throws: where the bytes are none that ``write(to:)`` gives.
  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError)
}

extension UndoStep {
  var text: (holder: UInt32, byteCount: Int)? { nil }
  mutating func dropText() {}
}
