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
  /// - Throws: where the log cannot be read; then nobody has taken in anything.
  func run(limit: Int) throws(ReadError) -> [ReadModelError?] {
    let start = position
    for writer in writers { writer.begin() }
    let end = try give(to: writers, after: start, limit: ReadLimit(events: limit))
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
  func advance(limit: Int) throws(ReadModelError) {
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

  /// - Returns: the last event's position.
  private func give(
    to writers: [any ViewWriter], after start: GlobalPosition, limit: ReadLimit
  ) throws(ReadError) -> GlobalPosition {
    var position = start
    for event in try store.batch(after: start, limit: limit.events) {
      position = event.position
      for writer in writers where writer.category == event.stream.category { writer.take(event) }
    }
    return position
  }

  private func giveAgain(
    to writer: any ViewWriter, after start: GlobalPosition, through end: GlobalPosition
  ) throws(ReadModelError) {
    var position = start
    do throws(ReadError) {
      while position < end {
        let count = Int(end.rawValue - position.rawValue)
        let given = try give(to: [writer], after: position, limit: ReadLimit(events: count))
        guard given > position else { throw .failed(reason: "it ends before position \(end)") }
        position = given
      }
    } catch {
      throw Self.unreadable(error)
    }
  }
}
