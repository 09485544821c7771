internal import EventSourcing

/// What one event changed, and what was there before.
protocol UndoStep: Sendable, Equatable {
  /// Calls `body` with each field that the event touched.
  func forEachField(_ body: (UndoField) -> Void)

  /// Why the event cannot be taken back, as a sentence without subject; nil where it can be.
  var refusal: String? { get }

  func write(to writer: inout SnapshotWriter)

  /// - Throws: where the bytes are none that ``write(to:)`` gives.
  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError)
}
