internal import Domain
internal import EventSourcing

/// The tables of the view `mailbox`.
final class MailboxModel: ViewModel {
  static let schema = """
    CREATE TABLE mailboxes (
      number INTEGER PRIMARY KEY, stream TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
      last_mail INTEGER NOT NULL, top INTEGER NOT NULL,
      total INTEGER NOT NULL, unread INTEGER NOT NULL, flagged INTEGER NOT NULL,
      trash INTEGER NOT NULL, archived INTEGER NOT NULL, snoozed INTEGER NOT NULL, swipe TEXT);
    CREATE TABLE mails (
      id INTEGER PRIMARY KEY, mailbox INTEGER NOT NULL, grouping INTEGER NOT NULL,
      key INTEGER NOT NULL, read INTEGER NOT NULL, flag INTEGER NOT NULL,
      trashed INTEGER NOT NULL, archived INTEGER NOT NULL, pinned INTEGER NOT NULL,
      moved INTEGER NOT NULL, until INTEGER, thread INTEGER, labels TEXT,
      date INTEGER, sender TEXT NOT NULL, subject TEXT NOT NULL, message TEXT NOT NULL);
    CREATE INDEX mails_thread ON mails (thread) WHERE thread NOTNULL;
    CREATE TABLE labeled (
      mailbox INTEGER NOT NULL, label TEXT NOT NULL, mail INTEGER NOT NULL,
      PRIMARY KEY (mailbox, label, mail)) WITHOUT ROWID;
    CREATE TABLE muted (thread INTEGER PRIMARY KEY);
    """ + RowSwipes.schema
  static let orderIndex = "CREATE INDEX mails_order ON mails (mailbox, grouping, key)"

  let heads = StreamHeads<MailboxHead>()
  let decoder = EventDecoder()
  var isTouched = false
  var failure: ReadModelError?

  private let statements: MailboxStatements
  private let swipes: RowSwipes
  let triage: TriageStatements
  private let orderIndex: OrderIndex
  /// Where the mails are that counts hang on; their keys are always those of the file.
  private var mails = RowBuffer<MailState>()

  init(connection: SQLiteConnection) throws(ReadModelError) {
    statements = try MailboxStatements(connection)
    swipes = try RowSwipes(connection)
    triage = try TriageStatements(connection)
    orderIndex = OrderIndex("mails_order", Self.orderIndex, connection)
  }

  // MARK: Heads

  /// The mailbox's head; a mailbox that is not known yet gets one.
  func head(of event: EventView) throws(ReadModelError) -> MailboxHead {
    try heads.head(of: event) { stream throws(ReadModelError) in
      if let known = try statements.head(of: stream) { return known }
      return MailboxHead(stream: stream, number: try statements.addHead(of: stream))
    }
  }

  func flush() throws(ReadModelError) {
    try mails.write { id, mail, stored throws(ReadModelError) in
      try statements.set(id, to: mail, from: stored)
    }
    mails.trim()
    try heads.flush { head throws(ReadModelError) in try statements.save(head) }
  }

  func makeOrderIndex() throws(ReadModelError) { try orderIndex.make() }

  func discard() {
    orderIndex.discard()
    mails.discard()
    heads.discard()
  }

  // MARK: Events

  func deliver(_ mail: Int, _ content: MailContent, to head: MailboxHead) throws(ReadModelError) {
    guard mail > head.lastMail else { return }
    let id = try RowID.of(mail, in: head.number)
    let key = try OrderKeys.above(head.top)
    let state = MailState(content)
    let labels = content.labels?.map(\.text) ?? []
    let insert = statements.insert
    insert.bind(1, id)
    insert.bind(2, head.number)
    insert.bind(3, state.group.number)
    insert.bind(4, key)
    insert.bind(5, state.read)
    insert.bind(6, state.flag)
    insert.bind(7, state.trashed)
    insert.bind(8, state.archived)
    insert.bind(9, state.pinned)
    insert.bind(
      10,
      try content.joins(before: mail).map { joined throws(ReadModelError) in
        try RowID.of(joined, in: head.number)
      })
    insert.bind(11, TriageStatements.text(labels))
    insert.bind(12, (content.date?.microseconds).map { Int($0) })
    try insert.run(lending: content.from, content.subject, content.message, from: 13)
    for label in labels { try triage.index(id, label, true, in: head.number) }
    mails.add(id, state)
    head.lastMail = mail
    head.top = key
    head.counts.count(1, state)
  }

  /// Changes the state of a mail that is there.
  func change(
    _ mail: Int, in head: MailboxHead, _ body: (inout MailState) -> Void
  ) throws(ReadModelError) {
    let id = try RowID.of(mail, in: head.number)
    guard let present = try state(of: id) else { return }
    var state = present
    body(&state)
    guard state != present else { return }
    mails.change(id, to: state)
    head.counts.count(-1, present)
    head.counts.count(1, state)
  }

  func state(of id: Int) throws(ReadModelError) -> MailState? {
    try mails.row(id) { id throws(ReadModelError) in try statements.state(of: id) }
  }

  func purge(_ mail: Int, from head: MailboxHead) throws(ReadModelError) {
    let id = try RowID.of(mail, in: head.number)
    guard let state = try state(of: id) else { return }
    for label in try triage.labels(of: id) {
      try triage.index(id, label, false, in: head.number)
    }
    try statements.delete(id)
    try swipes.clear(id)
    mails.remove(id)
    head.counts.count(-1, state)
  }

  func configure(
    _ mail: Int, _ configuration: SwipeConfiguration, in head: MailboxHead
  ) throws(ReadModelError) {
    let id = try RowID.of(mail, in: head.number)
    if try state(of: id) != nil { try swipes.configure(id, configuration) }
  }

  func clearSwipe(of mail: Int, in head: MailboxHead) throws(ReadModelError) {
    try swipes.clear(try RowID.of(mail, in: head.number))
  }

  /// The order is of all mails, whatever box they are in.
  func move(_ mail: Int, below anchor: Int?, in head: MailboxHead) throws(ReadModelError) {
    let id = try RowID.of(mail, in: head.number)
    guard mail != anchor, try state(of: id) != nil else { return }
    let key: Int
    if let anchor {
      let anchor = try RowID.of(anchor, in: head.number)
      guard try state(of: anchor) != nil else { return }
      try orderIndex.make()
      let rows = MailOrder(statements: statements, mailbox: head.number)
      key = try OrderKeys.place(id, below: anchor, in: rows)
    } else {
      key = try OrderKeys.above(head.top)
      head.top = key
    }
    try statements.move(id, to: key, at: head.revision)
  }
}
