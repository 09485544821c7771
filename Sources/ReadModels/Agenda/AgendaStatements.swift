internal import EventSourcing

/// The statements that change the view `agenda`.
final class AgendaStatements {
  private let putWork: SQLiteStatement
  private let deleteWork: SQLiteStatement
  private let findCause: SQLiteStatement
  private let findFirst: SQLiteStatement
  private let insertMove: SQLiteStatement
  private let updateMove: SQLiteStatement
  private let findHead: SQLiteStatement
  private let insertHead: SQLiteStatement
  private let updateHead: SQLiteStatement

  init(_ connection: SQLiteConnection) throws(ReadModelError) {
    putWork = try connection.prepare(
      """
      INSERT OR REPLACE INTO work (mailbox, kind, mail, since, cause) VALUES (?1, ?2, ?3, ?4, ?5)
      """)
    deleteWork = try connection.prepare(
      "DELETE FROM work WHERE mailbox = ?1 AND kind = ?2 AND mail = ?3")
    findCause = try connection.prepare(
      "SELECT cause FROM work WHERE mailbox = ?1 AND kind = ?2 AND mail = ?3")
    findFirst = try connection.prepare(
      "SELECT since FROM work WHERE mailbox = ?1 AND kind = ?2 ORDER BY since LIMIT 1")
    insertMove = try connection.prepare(
      "INSERT INTO moves (cause, mail, target) VALUES (?1, ?2, ?3)")
    updateMove = try connection.prepare(
      "UPDATE moves SET mail_there = ?2, reason = ?3 WHERE cause = ?1")
    findHead = try connection.prepare(AgendaHead.query)
    insertHead = try connection.prepare(
      "INSERT INTO mailboxes (stream, revision) VALUES (?1, 0) RETURNING number")
    updateHead = try connection.prepare(
      "UPDATE mailboxes SET revision = ?2, retention = ?3, next = ?4 WHERE number = ?1")
  }

  func head(of stream: StreamID) throws(ReadModelError) -> AgendaHead? {
    try AgendaHead.find(stream, with: findHead)
  }

  /// - Returns: the new mailbox's number.
  func addHead(of stream: StreamID) throws(ReadModelError) -> Int {
    insertHead.bind(1, stream.description)
    defer { insertHead.reset() }
    return try insertHead.step() ? insertHead.integer(0) : 0
  }

  func save(_ head: AgendaHead, next: Int?) throws(ReadModelError) {
    updateHead.bind(1, head.number)
    updateHead.bind(2, head.revision)
    updateHead.bind(3, head.retention)
    updateHead.bind(4, next)
    try updateHead.run()
  }

  func put(
    _ work: AgendaWork, _ mail: Int, since: Int, cause: Int, in mailbox: Int
  ) throws(ReadModelError) {
    bind(putWork, work, mail, mailbox)
    putWork.bind(4, since)
    putWork.bind(5, cause)
    try putWork.run()
  }

  func delete(_ work: AgendaWork, _ mail: Int, from mailbox: Int) throws(ReadModelError) {
    bind(deleteWork, work, mail, mailbox)
    try deleteWork.run()
  }

  /// The event that called for the work; nil where there is no such work.
  func cause(
    of work: AgendaWork, _ mail: Int, in mailbox: Int
  ) throws(ReadModelError) -> Int? {
    bind(findCause, work, mail, mailbox)
    defer { findCause.reset() }
    return try findCause.step() ? findCause.integer(0) : nil
  }

  /// The smallest `since` of a mailbox's work of one kind.
  func first(_ work: AgendaWork, in mailbox: Int) throws(ReadModelError) -> Int? {
    findFirst.bind(1, mailbox)
    findFirst.bind(2, work.rawValue)
    defer { findFirst.reset() }
    return try findFirst.step() ? findFirst.integer(0) : nil
  }

  private func bind(
    _ statement: SQLiteStatement, _ work: AgendaWork, _ mail: Int, _ mailbox: Int
  ) {
    statement.bind(1, mailbox)
    statement.bind(2, work.rawValue)
    statement.bind(3, mail)
  }

  func beginMove(_ cause: Int, _ mail: Int, to target: StreamID) throws(ReadModelError) {
    insertMove.bind(1, cause)
    insertMove.bind(2, mail)
    insertMove.bind(3, target.description)
    try insertMove.run()
  }

  func endMove(_ cause: Int, mailThere: Int?, reason: String?) throws(ReadModelError) {
    updateMove.bind(1, cause)
    updateMove.bind(2, mailThere)
    updateMove.bind(3, reason)
    try updateMove.run()
  }
}
