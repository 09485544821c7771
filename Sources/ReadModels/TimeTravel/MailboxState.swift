internal import Domain
internal import EventSourcing

/// A mailbox as its events leave it; follows the same rules as ``MailboxProjection``.
struct MailboxState: EventFold {
  /// What the view shows of a mail, and no more.
  private struct Mail {
    let from: String
    let subject: String
    let message: String
    let date: Timestamp?
    let thread: Int
    var state: MailState
    var swipe: SwipeConfiguration?
    var labels: Set<MailLabel>
    var until: Timestamp?
  }

  private var mails: [Int: Mail] = [:]
  /// Of all mails, whatever box they are in.
  private var order = LinkedOrder()
  private var lastMail = 0
  private var muted: Set<Int> = []
  private var counts = MailboxCounts()
  private var swipe = SwipeSettings.mailboxDefault

  init() {}

  var rowCount: Int { mails.count }

  mutating func apply(_ event: MailboxEvent) {
    switch event {
    case .delivered(let mail, let content): deliver(mail.rawValue, content)
    case .read(let mail): change(mail) { $0.read = true }
    case .unread(let mail): change(mail) { $0.read = false }
    case .flagged(let mail): change(mail) { $0.flag = true }
    case .unflagged(let mail): change(mail) { $0.flag = false }
    case .trashed(let mail): change(mail) { $0.trashed = true }
    case .restored(let mail): change(mail) { $0.trashed = false }
    case .archived(let mail): change(mail) { $0.archived = true }
    case .unarchived(let mail): change(mail) { $0.archived = false }
    case .pinned(let mail): change(mail) { $0.pinned = true }
    case .unpinned(let mail): change(mail) { $0.pinned = false }
    case .labeled(let mail, let label): mails[mail.rawValue]?.labels.insert(label)
    case .unlabeled(let mail, let label): mails[mail.rawValue]?.labels.remove(label)
    case .snoozed(let mail, let until): setSnooze(of: mail, until)
    case .unsnoozed(let mail, _): setSnooze(of: mail, nil)
    case .threadMuted(let thread):
      if thread.rawValue <= lastMail { muted.insert(thread.rawValue) }
    case .threadUnmuted(let thread): muted.remove(thread.rawValue)
    case .purged(let mail, _), .moved(let mail, _, _): purge(mail.rawValue)
    case .reordered(let mail, let anchor): move(mail.rawValue, below: anchor?.rawValue)
    case .swipeConfigured(let configuration): swipe = configuration.applied(to: swipe)
    case .mailSwipeConfigured(let mail, let sides): mails[mail.rawValue]?.swipe = sides
    case .mailSwipeCleared(let mail): mails[mail.rawValue]?.swipe = nil
    case .retentionConfigured, .moveRequested, .moveFailed, .lost: break
    }
  }

  private mutating func deliver(_ mail: Int, _ content: MailContent) {
    guard mail > lastMail else { return }
    lastMail = mail
    let state = MailState(content)
    mails[mail] = Mail(
      from: content.from, subject: content.subject, message: content.message, date: content.date,
      thread: content.joins(before: mail) ?? mail, state: state, labels: Set(content.labels ?? []))
    order.insert(mail, below: nil)
    counts.count(1, state)
  }

  private mutating func change(_ mail: MailID, _ body: (inout MailState) -> Void) {
    guard var state = mails[mail.rawValue]?.state else { return }
    counts.count(-1, state)
    body(&state)
    counts.count(1, state)
    mails[mail.rawValue]?.state = state
  }

  private mutating func setSnooze(of mail: MailID, _ until: Timestamp?) {
    mails[mail.rawValue]?.until = until
    change(mail) { $0.snoozed = until != nil }
  }

  private mutating func purge(_ mail: Int) {
    guard let gone = mails.removeValue(forKey: mail) else { return }
    counts.count(-1, gone.state)
    order.remove(mail)
  }

  private mutating func move(_ mail: Int, below anchor: Int?) {
    guard mails[mail] != nil, mail != anchor, anchor.map(order.contains) ?? true else { return }
    order.remove(mail)
    order.insert(mail, below: anchor)
  }

  // MARK: Page

  func page(
    _ head: PageHead, _ request: PageRequest, cursor: PageCursor?
  ) throws(ServiceError) -> WrittenPage {
    var rows = Rows(state: self, request: request, revision: head.revision, upcoming: order.first)
    if let cursor {
      guard order.contains(cursor.row) else { throw PageCursor.invalid }
      rows.isPinned = cursor.isAmongPinned
      rows.upcoming = order.below(cursor.row)
    }
    return MailboxPage.write(head: head, counts: counts, swipe: swipe, request, rows: &rows)
  }

  /// First the pinned rows, then the others.
  private struct Rows: MailRows {
    let state: MailboxState
    let request: PageRequest
    let revision: Int
    var upcoming: Int?
    var isPinned = true
    var last = 0

    mutating func next() -> MailRow? {
      if let row = nextOfGroup() { return row }
      guard isPinned else { return nil }
      isPinned = false
      upcoming = state.order.first
      return nextOfGroup()
    }

    private mutating func nextOfGroup() -> MailRow? {
      while let number = upcoming {
        upcoming = state.order.below(number)
        guard let mail = state.mails[number], isShown(mail) else { continue }
        last = number
        return MailRow(
          mail: number, from: mail.from, subject: mail.subject, message: mail.message,
          date: mail.date, read: mail.state.read, flag: mail.state.flag,
          pinned: mail.state.pinned, muted: state.muted.contains(mail.thread),
          labels: mail.labels.sorted().map(\.text), thread: mail.thread, box: mail.state.box,
          until: mail.until, swipe: mail.swipe)
      }
      return nil
    }

    private func isShown(_ mail: Mail) -> Bool {
      mail.state.pinned == isPinned && mail.state.box == request.box ?? mail.state.box
        && request.label.map(mail.labels.contains) ?? true
        && mail.thread == request.thread ?? mail.thread
    }

    func cursor() -> PageCursor {
      PageCursor(revision: revision, isAmongPinned: isPinned, mail: last)
    }
  }
}
