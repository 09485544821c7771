internal import EventSourcing

/// Gives a batch of the log to the views that stand at its beginning: it is read once for all.
struct ViewBatch {
  let store: any EventStore
  /// The writers, all of which stand at one position.
  let writers: [any ViewWriter]

  /// Where the writers stand.
  var position: GlobalPosition { writers.first?.position ?? .start }

  /// Takes in the next events up to `limit`, of which each writer makes a transaction.
  ///
  /// - Returns: for each writer what kept it from taking the batch in; it then stays where it was.
  /// - Throws: where the log cannot be read; the events before that place were taken in.
  func run(limit: ReadLimit) throws(ReadError) -> [ReadModelError?] {
    let start = position
    for writer in writers { writer.begin() }
    let (end, unreadable) = give(to: writers, after: start, limit: limit)
    let failures = finish(after: start, at: end)
    if let unreadable { throw unreadable }
    return failures
  }

  private func finish(
    after start: GlobalPosition, at end: GlobalPosition
  ) -> [ReadModelError?] {
    var failures: [ReadModelError?] = []
    for writer in writers {
      do throws(ReadModelError) {
        while try !writer.end(at: end) { try giveAgain(to: writer, after: start, through: end) }
        failures.append(nil)
      } catch {
        failures.append(error)
      }
    }
    return failures
  }

  /// As ``run(limit:)``, for work that ends with the first failure.
  func advance(limit: ReadLimit) throws(ReadModelError) {
    var failures: [ReadModelError?] = []
    do throws(ReadError) {
      failures = try run(limit: limit)
    } catch {
      throw Self.unreadable(error)
    }
    for case let failure? in failures { throw failure }
  }

  private static func unreadable(_ error: ReadError) -> ReadModelError {
    ReadModelError(code: 0, message: error.description, context: "read the log")
  }

  /// - Returns: the last event's position, and what ended the reading early.
  private func give(
    to writers: [any ViewWriter], after start: GlobalPosition, limit: ReadLimit
  ) -> (end: GlobalPosition, failure: ReadError?) {
    var position = start
    var failure: ReadError?
    do throws(ReadError) {
      try store.visit(after: start, limit: limit) { event in
        guard event.position == position.advanced(by: 1) else {
          failure = .failed(
            reason: "position \(event.position) does not follow the one before")
          return false
        }
        position = event.position
        for writer in writers where event.isOf(writer.category) { writer.take(event) }
        return true
      }
    } catch {
      failure = error
    }
    return (position, failure)
  }

  private func giveAgain(
    to writer: any ViewWriter, after start: GlobalPosition, through end: GlobalPosition
  ) throws(ReadModelError) {
    var position = start
    while position < end {
      let count = Int(end.rawValue - position.rawValue)
      let (given, failure) = give(to: [writer], after: position, limit: ReadLimit(events: count))
      if let failure { throw Self.unreadable(failure) }
      guard given > position else {
        throw Self.unreadable(.failed(reason: "it ends before position \(end)"))
      }
      position = given
    }
  }
}
