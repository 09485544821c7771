internal import EventSourcing

/// Answers queries from one view's file; belongs to one thread at a time.
protocol ViewReader: AnyObject {
  /// - Parameter position: one that the view was at before the call.
  func page(
    of stream: StreamID, _ request: PageRequest, cursor: PageCursor?,
    reflecting position: GlobalPosition
  ) throws(ReadModelError) -> PageAnswer

  func close()
}

/// What a view's file says to a question.
enum PageAnswer {
  case json([UInt8])
  /// The page of a stream that has events, none of which concern the view.
  case nothing([UInt8])
  /// The view has nothing of the stream.
  case unknownStream
  /// What the cursor names was never in the stream.
  case invalidCursor
}

/// A read-only connection whose every answer is one moment's.
final class ReadConnection {
  let connection: SQLiteConnection
  private let checkpoint: SQLiteStatement
  private let parked: SQLiteStatement

  init(path: String) throws(ReadModelError) {
    connection = try SQLiteConnection(path: path, mode: .query)
    checkpoint = try connection.prepare("SELECT position FROM checkpoint")
    parked = try connection.prepare(
      "SELECT position FROM parked WHERE stream = ?1 ORDER BY position LIMIT 1")
  }

  /// Runs `body` inside one read transaction.
  func snapshot<Value>(
    _ body: () throws(ReadModelError) -> Value
  ) throws(ReadModelError) -> Value {
    try connection.execute("BEGIN")
    // Nothing was changed, so there is nothing that ending the transaction could fail at.
    defer { try? connection.rollBack() }
    return try body()
  }

  /// - Parameter position: one that the view was at before this snapshot was taken. The file itself
  ///   may say less, as it is not told of events that concern none of its rows.
  func head(
    of stream: StreamID, revision: Int, reflecting position: GlobalPosition
  ) throws(ReadModelError) -> PageHead {
    defer { checkpoint.reset() }
    guard try checkpoint.step() else { throw .unusable("it has no checkpoint") }
    let saved = GlobalPosition(UInt64(clamping: checkpoint.integer(0)))
    return PageHead(
      stream: stream, revision: revision, position: max(saved, position),
      parked: try firstParked(of: stream))
  }

  private func firstParked(of stream: StreamID) throws(ReadModelError) -> GlobalPosition? {
    parked.bind(1, stream.description)
    defer { parked.reset() }
    return try parked.step() ? GlobalPosition(UInt64(clamping: parked.integer(0))) : nil
  }
}
