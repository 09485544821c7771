internal import EventSourcing

/// The agenda's row about a mailbox as a whole.
final class AgendaHead: StreamHead {
  let stream: StreamID
  /// The mailbox's number in this file.
  let number: Int
  /// Of the last event that concerned the agenda.
  var revision = 0
  /// For how long a mail stays in the trash, in microseconds; nil for ever.
  var retention: Int?
  var isDirty = false

  init(stream: StreamID, number: Int) {
    self.stream = stream
    self.number = number
  }

  /// What makes `since` of the work's rows the time at which it is due; nil where it never is.
  func delay(of work: AgendaWork) -> Int? { work == .expire ? retention : 0 }
}

extension AgendaHead {
  /// Finds a head by its stream.
  static let query = "SELECT number, revision, retention FROM mailboxes WHERE stream = ?1"

  static func find(
    _ stream: StreamID, with statement: SQLiteStatement
  ) throws(ReadModelError) -> AgendaHead? {
    statement.bind(1, stream.description)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let head = AgendaHead(stream: stream, number: statement.integer(0))
    head.revision = statement.integer(1)
    head.retention = statement.optionalInteger(2)
    return head
  }
}
