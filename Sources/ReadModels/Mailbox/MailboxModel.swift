internal import Domain
internal import EventSourcing

/// The tables of the view `mailbox`.
final class MailboxModel: ViewModel {
  static let schema = """
    CREATE TABLE mailboxes (
      number INTEGER PRIMARY KEY, stream TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
      last_mail INTEGER NOT NULL, top INTEGER NOT NULL, epoch INTEGER NOT NULL,
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
    let (read, flag, trashed) =
      (content.read ?? false, content.flagged ?? false, content.trashed ?? false)
    let insert = statements.insert
    insert.bind(1, id)
    insert.bind(2, head.number)
    insert.bind(3, trashed)
    insert.bind(4, key)
    insert.bind(5, read)
    insert.bind(6, flag)
    insert.bind(7, (content.date?.microseconds).map { Int($0) })
    insert.bind(8, content.from)
    insert.bind(9, content.subject)
    insert.bind(10, content.message)
    try insert.run()
    head.lastMail = mail
    head.top = key
    head.counts.count(1, read: read, flag: flag, trashed: trashed)
  }

  func setRead(_ mail: Int, _ read: Bool, in head: MailboxHead) throws(ReadModelError) {
    let update = statements.setRead
    update.bind(1, try RowID.of(mail, in: head.number))
    update.bind(2, read)
    if try update.step(), !update.bool(0) { head.counts.unread += read ? -1 : 1 }
    update.reset()
  }

  func setFlag(_ mail: Int, _ flag: Bool, in head: MailboxHead) throws(ReadModelError) {
    let update = statements.setFlag
    update.bind(1, try RowID.of(mail, in: head.number))
    update.bind(2, flag)
    if try update.step(), !update.bool(0) { head.counts.flagged += flag ? 1 : -1 }
    update.reset()
  }

  func setTrashed(_ mail: Int, _ trashed: Bool, in head: MailboxHead) throws(ReadModelError) {
    let update = statements.setTrashed
    update.bind(1, try RowID.of(mail, in: head.number))
    update.bind(2, trashed)
    if try update.step() {
      let (read, flag) = (update.bool(0), update.bool(1))
      head.counts.count(-1, read: read, flag: flag, trashed: !trashed)
      head.counts.count(1, read: read, flag: flag, trashed: trashed)
    }
    update.reset()
  }

  func purge(_ mail: Int, from head: MailboxHead) throws(ReadModelError) {
    let delete = statements.delete
    delete.bind(1, try RowID.of(mail, in: head.number))
    if try delete.step() {
      head.counts.count(
        -1, read: delete.bool(0), flag: delete.bool(1), trashed: delete.bool(2))
    }
    delete.reset()
  }

  /// The order is of all mails, those in the trash included.
  func move(_ mail: Int, below anchor: Int?, in head: MailboxHead) throws(ReadModelError) {
    let id = try RowID.of(mail, in: head.number)
    let rows = MailOrder(statements: statements, mailbox: head.number)
    guard mail != anchor, try rows.exists(id) else { return }
    var key = head.top
    if let anchor {
      let anchor = try RowID.of(anchor, in: head.number)
      guard try rows.exists(anchor) else { return }
      let place = try OrderKeys.place(id, below: anchor, in: rows)
      key = place.key
      if place.didSpread { head.epoch += 1 }
    } else {
      key = try OrderKeys.above(head.top)
      head.top = key
    }
    try statements.move(id, to: key, at: head.revision)
  }
}
