internal import Domain
internal import EventSourcing

/// The tables of the view `agenda`.
///
/// A mailbox's row says when its next work is due, so that what is due anywhere is found at once. A
/// move's row stays when the move is over, so that whoever asked for it can be told what became of it.
final class AgendaModel: ViewModel {
  static let schema = """
    CREATE TABLE mailboxes (
      number INTEGER PRIMARY KEY, stream TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
      retention INTEGER, next INTEGER);
    CREATE INDEX mailboxes_next ON mailboxes (next) WHERE next IS NOT NULL;
    CREATE TABLE work (
      mailbox INTEGER NOT NULL, kind INTEGER NOT NULL, mail INTEGER NOT NULL,
      since INTEGER NOT NULL, cause INTEGER NOT NULL,
      PRIMARY KEY (mailbox, kind, mail)) WITHOUT ROWID;
    CREATE INDEX work_order ON work (mailbox, kind, since, mail, cause);
    CREATE TABLE moves (
      cause INTEGER PRIMARY KEY, mail INTEGER NOT NULL, target TEXT NOT NULL,
      mail_there INTEGER, reason TEXT);
    """
  /// The order is looked at by every transaction, so its index is there from the beginning.
  static let orderIndex = ""

  let heads = StreamHeads<AgendaHead>()
  let decoder = EventDecoder()
  var isTouched = false
  var failure: ReadModelError?

  private let statements: AgendaStatements

  init(connection: SQLiteConnection) throws(ReadModelError) {
    statements = try AgendaStatements(connection)
  }

  func makeOrderIndex() throws(ReadModelError) {}

  /// The mailbox's head; a mailbox that is not known yet gets one.
  func head(of event: EventView) throws(ReadModelError) -> AgendaHead {
    try heads.head(of: event) { stream throws(ReadModelError) in
      if let known = try statements.head(of: stream) { return known }
      return AgendaHead(stream: stream, number: try statements.addHead(of: stream))
    }
  }

  func flush() throws(ReadModelError) {
    try heads.flush { head throws(ReadModelError) in
      var next: Int?
      for work in AgendaWork.allCases {
        guard let delay = head.delay(of: work),
          let since = try statements.first(work, in: head.number)
        else { continue }
        next = min(next ?? .max, since + delay)
      }
      try statements.save(head, next: next)
    }
  }

  func discard() { heads.discard() }

  /// - Parameter cause: the event's position.
  func apply(
    _ change: AgendaChange, cause: Int, to head: AgendaHead
  ) throws(ReadModelError) {
    switch change {
    case .add(let work, let mail, let since, let target):
      try statements.put(work, mail, since: since, cause: cause, in: head.number)
      if let target { try statements.beginMove(cause, mail, to: target) }
    case .remove(let work, let mail): try statements.delete(work, mail, from: head.number)
    case .removeAll(let mail): try deleteAll(mail, from: head)
    case .setRetention(let seconds): head.retention = seconds.map { $0 * 1_000_000 }
    case .moved(let mail, let there):
      if let move = try statements.cause(of: .move, mail, in: head.number) {
        try statements.endMove(move, mailThere: there, reason: nil)
      }
      try deleteAll(mail, from: head)
    case .moveFailed(let mail, let reason):
      if let move = try statements.cause(of: .move, mail, in: head.number) {
        try statements.endMove(move, mailThere: nil, reason: reason)
      }
      try statements.delete(.move, mail, from: head.number)
    }
  }

  private func deleteAll(_ mail: Int, from head: AgendaHead) throws(ReadModelError) {
    for work in AgendaWork.allCases { try statements.delete(work, mail, from: head.number) }
  }
}
