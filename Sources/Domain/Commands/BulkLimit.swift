internal import EventSourcing

/// How much one command may change: its events are one batch, decided and written in one go while
/// other commands wait.
enum BulkLimit {
  static let changes = 100_000

  /// - Parameter name: what the stream's things are called: "mails".
  static func check<Event, Outcome>(
    _ decision: Decision<Event, Outcome>, _ name: String
  ) throws(ServiceError) {
    guard decision.eventCount > changes else { return }
    throw ServiceError(
      .tooLarge,
      """
      the command would make \(decision.eventCount) changes, and one command makes at most \
      \(changes); name fewer \(name), by ranges as "1-\(changes)" for example
      """)
  }
}
