internal import EventSourcing

/// How much one command may change: its events are one batch, decided and written in one go while
/// other commands wait.
enum BulkLimit {
  /// Mails or items.
  static let changes = 100_000
  /// A change is up to three events, as where a snoozed mail is woken and put on top.
  static let events = 3 * changes
  /// What a command takes over in texts that it does not name itself, in bytes.
  static let textBytes = 8 << 20

  /// - Parameters:
  ///   - results: what a bulk command did; nil for every other one.
  ///   - name: what the stream's things are called: "mails".
  static func check<ID>(
    _ results: BulkResults<ID>?, events count: Int, _ name: String
  ) throws(ServiceError) {
    if let changed = results?.changedCount, changed > changes {
      throw ServiceError(
        .tooLarge,
        """
        the command would change \(changed) \(name), and one command changes at most \(changes); \
        name fewer, by ranges as "1-\(changes)" for example
        """)
    }
    guard count <= events else {
      throw ServiceError(
        .tooLarge,
        "the command would write \(count) events, and one command writes at most \(events)")
    }
  }

  /// Refuses to take over so many bytes of texts.
  static func check(textBytes bytes: Int) throws(ServiceError) {
    guard bytes <= textBytes else {
      throw ServiceError(
        .tooLarge,
        "the command would copy \(bytes) bytes of texts, and one command copies at most \(textBytes)"
      )
    }
  }
}
