internal import EventSourcing

/// The statements that change the view `mailbox`.
final class MailboxStatements {
  let insert: SQLiteStatement
  private let findState: SQLiteStatement
  private let setMarks: SQLiteStatement
  private let setState: SQLiteStatement
  private let deleteMail: SQLiteStatement
  let setPlace: SQLiteStatement
  let setKey: SQLiteStatement
  let keyOf: SQLiteStatement
  let keyAbove: SQLiteStatement
  let countKeys: SQLiteStatement
  let rowsByKey: SQLiteStatement
  private let findHead: SQLiteStatement
  private let insertHead: SQLiteStatement
  private let updateHead: SQLiteStatement

  init(_ connection: SQLiteConnection) throws(ReadModelError) {
    insert = try connection.prepare(
      """
      INSERT INTO mails (id, mailbox, grouping, key, read, flag, trashed, archived, pinned, moved, \
      thread, labels, date, sender, subject, message) \
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, ?10, ?11, ?12, ?13, ?14, ?15)
      """)
    // Looking first and changing only then costs less than `UPDATE … RETURNING`.
    findState = try connection.prepare(
      "SELECT read, flag, trashed, archived, pinned, until NOTNULL FROM mails WHERE id = ?1")
    setMarks = try connection.prepare("UPDATE mails SET read = ?2, flag = ?3 WHERE id = ?1")
    setState = try connection.prepare(
      """
      UPDATE mails SET read = ?2, flag = ?3, trashed = ?4, archived = ?5, pinned = ?6, \
      grouping = ?7 WHERE id = ?1
      """)
    deleteMail = try connection.prepare("DELETE FROM mails WHERE id = ?1")
    setPlace = try connection.prepare("UPDATE mails SET key = ?2, moved = ?3 WHERE id = ?1")
    setKey = try connection.prepare("UPDATE mails SET key = ?2 WHERE id = ?1")
    keyOf = try connection.prepare("SELECT key FROM mails WHERE id = ?1")
    keyAbove = try connection.prepare(
      """
      SELECT key FROM mails WHERE mailbox = ?1 AND grouping = ?2 AND key > ?3 AND id <> ?4 \
      ORDER BY key LIMIT 1
      """)
    countKeys = try connection.prepare(
      """
      SELECT count(*) FROM (SELECT 1 FROM mails WHERE mailbox = ?1 AND \
      grouping IN (0, 1, 2, 3, 4, 5, 6, 7) AND key BETWEEN ?2 AND ?3 LIMIT ?4)
      """)
    rowsByKey = try connection.prepare(
      """
      SELECT id FROM mails WHERE mailbox = ?1 AND grouping IN (0, 1, 2, 3, 4, 5, 6, 7) AND \
      key BETWEEN ?2 AND ?3 ORDER BY key
      """)
    findHead = try connection.prepare(MailboxHead.query)
    insertHead = try connection.prepare(
      """
      INSERT INTO mailboxes (stream, revision, last_mail, top, total, unread, flagged, trash, \
      archived, snoozed) VALUES (?1, 0, 0, 0, 0, 0, 0, 0, 0, 0) RETURNING number
      """)
    updateHead = try connection.prepare(
      """
      UPDATE mailboxes SET revision = ?2, last_mail = ?3, top = ?4, total = ?5, \
      unread = ?6, flagged = ?7, trash = ?8, archived = ?9, snoozed = ?10, swipe = ?11 \
      WHERE number = ?1
      """)
  }

  func head(of stream: StreamID) throws(ReadModelError) -> MailboxHead? {
    try MailboxHead.find(stream, with: findHead)
  }

  /// - Returns: the new mailbox's number.
  func addHead(of stream: StreamID) throws(ReadModelError) -> Int {
    insertHead.bind(1, stream.description)
    defer { insertHead.reset() }
    return try insertHead.step() ? insertHead.integer(0) : 0
  }

  func save(_ head: MailboxHead) throws(ReadModelError) {
    updateHead.bind(1, head.number)
    updateHead.bind(2, head.revision)
    updateHead.bind(3, head.lastMail)
    updateHead.bind(4, head.top)
    updateHead.bind(5, head.counts.total)
    updateHead.bind(6, head.counts.unread)
    updateHead.bind(7, head.counts.flagged)
    updateHead.bind(8, head.counts.trash)
    updateHead.bind(9, head.counts.archived)
    updateHead.bind(10, head.counts.snoozed)
    updateHead.bind(11, head.swipe)
    try updateHead.run()
  }

  /// Nil where there is no such mail.
  func state(of id: Int) throws(ReadModelError) -> MailState? {
    findState.bind(1, id)
    defer { findState.reset() }
    guard try findState.step() else { return nil }
    var state = MailState()
    state.read = findState.bool(0)
    state.flag = findState.bool(1)
    state.trashed = findState.bool(2)
    state.archived = findState.bool(3)
    state.pinned = findState.bool(4)
    state.snoozed = findState.bool(5)
    return state
  }

  func set(_ id: Int, to state: MailState, from stored: MailState) throws(ReadModelError) {
    var marked = stored
    marked.read = state.read
    marked.flag = state.flag
    // Where a mail comes into another group, the index has to be told.
    let isMoved = state != marked
    let update = isMoved ? setState : setMarks
    update.bind(1, id)
    update.bind(2, state.read)
    update.bind(3, state.flag)
    if isMoved {
      update.bind(4, state.trashed)
      update.bind(5, state.archived)
      update.bind(6, state.pinned)
      update.bind(7, state.group.number)
    }
    try update.run()
  }

  func delete(_ id: Int) throws(ReadModelError) {
    deleteMail.bind(1, id)
    try deleteMail.run()
  }

  /// Remembers the revision of the move, for cursors.
  func move(_ id: Int, to key: Int, at revision: Int) throws(ReadModelError) {
    setPlace.bind(1, id)
    setPlace.bind(2, key)
    setPlace.bind(3, revision)
    try setPlace.run()
  }
}
