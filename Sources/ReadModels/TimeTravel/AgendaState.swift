internal import Domain
internal import EventSourcing

/// A mailbox's agenda as its events leave it; follows the same rules as ``AgendaProjection``.
struct AgendaState: FoldedState {
  private struct Key: Hashable {
    let work: AgendaWork
    let mail: Int
  }

  private struct Entry {
    let since: Int
    let cause: Int
    let target: StreamID?
  }

  private var entries: [Key: Entry] = [:]
  /// In microseconds; nil for none.
  private var retention: Int?

  init() {}

  var rowCount: Int { entries.count }

  mutating func take(_ view: EventView, _ decoder: EventDecoder) throws(ProjectionError) {
    let event: MailboxEvent = try decoder.decode(view)
    guard let change = AgendaChange(event, at: view.time) else { return }
    apply(change, cause: Int(clamping: view.position.rawValue))
  }

  private mutating func apply(_ change: AgendaChange, cause: Int) {
    switch change {
    case .add(let work, let mail, let since, let target):
      entries[Key(work: work, mail: mail)] = Entry(since: since, cause: cause, target: target)
    case .remove(let work, let mail): entries[Key(work: work, mail: mail)] = nil
    case .removeAll(let mail), .moved(let mail, _):
      for work in AgendaWork.allCases { entries[Key(work: work, mail: mail)] = nil }
    case .setRetention(let seconds): retention = seconds.map { $0 * 1_000_000 }
    case .moveFailed(let mail, _): entries[Key(work: .move, mail: mail)] = nil
    }
  }

  // MARK: Page

  func page(
    _ head: PageHead, _ request: PageRequest, cursor: PageCursor?
  ) throws(ServiceError) -> WrittenPage {
    var listing = AgendaListing(head: head, retention: retention, limit: request.limit)
    for row in rows(behind: cursor) where !listing.append(row) { break }
    return listing.finish()
  }

  private func rows(behind cursor: PageCursor?) -> [AgendaRow] {
    var rows: [AgendaRow] = []
    for (key, entry) in entries {
      guard let delay = key.work == .expire ? retention : 0 else { continue }
      let row = AgendaRow(
        work: key.work, mail: key.mail, due: entry.since + delay, cause: entry.cause,
        target: entry.target?.description)
      if AgendaListing.isBehind(cursor, row) { rows.append(row) }
    }
    return rows.sorted { $0.place < $1.place }
  }
}
