internal import Domain
internal import EventSourcing

/// The tables of the view `mailbox`.
final class MailboxModel: ViewModel {
  static let schema = """
    CREATE TABLE mailboxes (
      number INTEGER PRIMARY KEY, stream TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
      last_mail INTEGER NOT NULL, top INTEGER NOT NULL,
      total INTEGER NOT NULL, unread INTEGER NOT NULL, flagged INTEGER NOT NULL,
      trash INTEGER NOT NULL, swipe TEXT);
    CREATE TABLE mails (
      id INTEGER PRIMARY KEY, mailbox INTEGER NOT NULL, trashed INTEGER NOT NULL,
      key INTEGER NOT NULL, read INTEGER NOT NULL, flag INTEGER NOT NULL, moved INTEGER NOT NULL,
      date INTEGER, sender TEXT NOT NULL, subject TEXT NOT NULL, message TEXT NOT NULL);
    CREATE INDEX mails_order ON mails (mailbox, trashed, key);
    """

  let heads = StreamHeads<MailboxHead>()
  let decoder = EventDecoder()
  var isTouched = false
  var failure: ReadModelError?

  private let statements: MailboxStatements

  init(connection: SQLiteConnection) throws(ReadModelError) {
    statements = try MailboxStatements(connection)
  }

  // MARK: Heads

  /// The mailbox's head; a mailbox that is not known yet gets one.
  func head(of stream: StreamID) throws(ReadModelError) -> MailboxHead {
    if let head = heads.cached(stream) { return head }
    let head =
      if let known = try statements.head(of: stream) { known } else {
        MailboxHead(stream: stream, number: try statements.addHead(of: stream))
      }
    heads.add(head)
    return head
  }

  func flush() throws(ReadModelError) {
    try heads.flush { head throws(ReadModelError) in try statements.save(head) }
  }

  func discard() { heads.discard() }

  // MARK: Events

  func deliver(_ mail: Int, _ content: MailContent, to head: MailboxHead) throws(ReadModelError) {
    guard mail > head.lastMail else { return }
    let id = try RowID.of(mail, in: head.number)
    let key = try OrderKeys.above(head.top)
    let state = MailState(
      read: content.read ?? false, flag: content.flagged ?? false,
      trashed: content.trashed ?? false)
    let insert = statements.insert
    insert.bind(1, id)
    insert.bind(2, head.number)
    insert.bind(3, state.trashed)
    insert.bind(4, key)
    insert.bind(5, state.read)
    insert.bind(6, state.flag)
    insert.bind(7, (content.date?.microseconds).map { Int($0) })
    insert.bind(8, content.from)
    insert.bind(9, content.subject)
    insert.bind(10, content.message)
    try insert.run()
    head.lastMail = mail
    head.top = key
    head.counts.count(1, state)
  }

  func setRead(_ mail: Int, _ read: Bool, in head: MailboxHead) throws(ReadModelError) {
    let id = try RowID.of(mail, in: head.number)
    guard let state = try statements.state(of: id), state.read != read else { return }
    try statements.setRead(id, read)
    if !state.trashed { head.counts.unread += read ? -1 : 1 }
  }

  func setFlag(_ mail: Int, _ flag: Bool, in head: MailboxHead) throws(ReadModelError) {
    let id = try RowID.of(mail, in: head.number)
    guard let state = try statements.state(of: id), state.flag != flag else { return }
    try statements.setFlag(id, flag)
    if !state.trashed { head.counts.flagged += flag ? 1 : -1 }
  }

  func setTrashed(_ mail: Int, _ trashed: Bool, in head: MailboxHead) throws(ReadModelError) {
    let id = try RowID.of(mail, in: head.number)
    guard var state = try statements.state(of: id), state.trashed != trashed else { return }
    try statements.setTrashed(id, trashed)
    head.counts.count(-1, state)
    state.trashed = trashed
    head.counts.count(1, state)
  }

  func purge(_ mail: Int, from head: MailboxHead) throws(ReadModelError) {
    let id = try RowID.of(mail, in: head.number)
    guard let state = try statements.state(of: id) else { return }
    try statements.delete(id)
    head.counts.count(-1, state)
  }

  /// The order is of all mails, those in the trash included.
  func move(_ mail: Int, below anchor: Int?, in head: MailboxHead) throws(ReadModelError) {
    let id = try RowID.of(mail, in: head.number)
    let rows = MailOrder(statements: statements, mailbox: head.number)
    guard mail != anchor, try rows.exists(id) else { return }
    let key: Int
    if let anchor {
      let anchor = try RowID.of(anchor, in: head.number)
      guard try rows.exists(anchor) else { return }
      key = try OrderKeys.place(id, below: anchor, in: rows)
    } else {
      key = try OrderKeys.above(head.top)
      head.top = key
    }
    try statements.move(id, to: key, at: head.revision)
  }
}
