internal import Domain
internal import EventSourcing

/// Answers queries to the view `agenda`, and tells what is due.
final class AgendaReader: ViewReader {
  let reader: ReadConnection
  private let findHead: SQLiteStatement
  private let findTarget: SQLiteStatement
  /// One for each kind of work, as all are stepped side by side.
  private let rows: [AgendaWork: SQLiteStatement]
  let dueStreams: SQLiteStatement
  let dueWork: SQLiteStatement
  let laterWork: SQLiteStatement
  let laterStream: SQLiteStatement
  let movesOfCommand: SQLiteStatement

  /// Begins anywhere and stops when the page is full, so that its cost does not grow with the agenda.
  static let query = """
    SELECT mail, since, cause FROM work \
    WHERE mailbox = ?1 AND kind = ?2 AND (since, mail) > (?3, ?4) ORDER BY since, mail
    """

  init(path: String) throws(ReadModelError) {
    reader = try ReadConnection(path: path)
    let connection = reader.connection
    findHead = try connection.prepare(AgendaHead.query)
    findTarget = try connection.prepare("SELECT target FROM moves WHERE cause = ?1")
    var rows: [AgendaWork: SQLiteStatement] = [:]
    for work in AgendaWork.allCases { rows[work] = try connection.prepare(Self.query) }
    self.rows = rows
    // What a parked stream's later events say is not in its rows.
    dueStreams = try connection.prepare(
      """
      SELECT number, stream, retention FROM mailboxes WHERE next <= ?1 \
      AND NOT EXISTS (SELECT 1 FROM parked WHERE parked.stream = mailboxes.stream) ORDER BY next
      """)
    dueWork = try connection.prepare(
      """
      SELECT mail, since, cause FROM work \
      WHERE mailbox = ?1 AND kind = ?2 AND since <= ?3 ORDER BY since, mail
      """)
    laterWork = try connection.prepare(
      """
      SELECT since FROM work WHERE mailbox = ?1 AND kind = ?2 AND since > ?3 \
      ORDER BY since LIMIT 1
      """)
    laterStream = try connection.prepare(
      "SELECT next FROM mailboxes WHERE next > ?1 ORDER BY next LIMIT 1")
    movesOfCommand = try connection.prepare(
      """
      SELECT mail, target, mail_there, reason FROM moves WHERE cause BETWEEN ?1 AND ?2 \
      ORDER BY cause
      """)
  }

  func close() { reader.connection.close() }

  func page(
    of stream: StreamID, _ request: PageRequest, cursor: PageCursor?,
    reflecting position: GlobalPosition
  ) throws(ReadModelError) -> PageAnswer {
    try reader.snapshot { () throws(ReadModelError) -> PageAnswer in
      let head = try AgendaHead.find(stream, with: findHead)
      var listing = AgendaListing(
        head: try reader.head(of: stream, revision: 0, reflecting: position),
        retention: head?.retention, limit: request.limit)
      guard let head else { return .nothing(listing.finish().json) }
      defer { for statement in rows.values { statement.reset() } }
      var sources: [AgendaSourceRows] = []
      for work in AgendaWork.allCases {
        guard let delay = head.delay(of: work), let statement = rows[work] else { continue }
        let start = AgendaListing.start(of: work, behind: cursor, delay: delay)
        statement.bind(1, head.number)
        statement.bind(2, work.rawValue)
        statement.bind(3, start.since)
        statement.bind(4, start.mail)
        sources.append(AgendaSourceRows(work, delay: delay, statement))
      }
      while let row = try nextRow(of: &sources), listing.append(row) {}
      return .json(listing.finish().json)
    }
  }

  /// The earliest of what the sources have next.
  private func nextRow(
    of sources: inout [AgendaSourceRows]
  ) throws(ReadModelError) -> AgendaRow? {
    for index in sources.indices { try sources[index].fill() }
    let earliest = sources.indices.filter { sources[$0].upcoming != nil }.min {
      (sources[$0].upcoming?.place ?? (0, 0, 0)) < (sources[$1].upcoming?.place ?? (0, 0, 0))
    }
    guard let earliest, var row = sources[earliest].take() else { return nil }
    if row.work == .move { row.target = try target(of: row.cause) }
    return row
  }

  /// Where a move goes, by the event that asked for it.
  func target(of cause: Int) throws(ReadModelError) -> String? {
    findTarget.bind(1, cause)
    defer { findTarget.reset() }
    return try findTarget.step() ? findTarget.text(0) : nil
  }
}

/// A mailbox's work of one kind, in order.
private struct AgendaSourceRows {
  let work: AgendaWork
  let delay: Int
  let statement: SQLiteStatement
  private(set) var upcoming: AgendaRow?
  private var isAtEnd = false

  init(_ work: AgendaWork, delay: Int, _ statement: SQLiteStatement) {
    self.work = work
    self.delay = delay
    self.statement = statement
  }

  mutating func fill() throws(ReadModelError) {
    guard upcoming == nil, !isAtEnd else { return }
    guard try statement.step() else {
      isAtEnd = true
      return
    }
    upcoming = AgendaRow(
      work: work, mail: statement.integer(0), due: statement.integer(1) + delay,
      cause: statement.integer(2))
  }

  mutating func take() -> AgendaRow? {
    defer { upcoming = nil }
    return upcoming
  }
}
