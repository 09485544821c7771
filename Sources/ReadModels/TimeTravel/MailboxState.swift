internal import Domain
internal import EventSourcing

/// A mailbox as its events leave it; follows the same rules as ``MailboxProjection``.
struct MailboxState: FoldedState {
  /// What the view shows of a mail, and no more.
  private struct Mail {
    let from: String
    let subject: String
    let message: String
    let date: Timestamp?
    var state: MailState
    var swipe: SwipeConfiguration?
  }

  private var mails: [Int: Mail] = [:]
  /// Of all mails, those in the trash included.
  private var order = LinkedOrder()
  private var lastMail = 0
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
    case .purged(let mail, _): purge(mail.rawValue)
    case .reordered(let mail, let anchor): move(mail.rawValue, below: anchor?.rawValue)
    case .swipeConfigured(let configuration): swipe = configuration.applied(to: swipe)
    case .mailSwipeConfigured(let mail, let sides): mails[mail.rawValue]?.swipe = sides
    case .mailSwipeCleared(let mail): mails[mail.rawValue]?.swipe = nil
    case .lost: break
    }
  }

  private mutating func deliver(_ mail: Int, _ content: MailContent) {
    guard mail > lastMail else { return }
    lastMail = mail
    let state = MailState(
      read: content.read ?? false, flag: content.flagged ?? false,
      trashed: content.trashed ?? false)
    mails[mail] = Mail(
      from: content.from, subject: content.subject, message: content.message, date: content.date,
      state: state)
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
    var next = order.first
    if let cursor {
      guard order.contains(cursor.row) else { throw PageCursor.invalid }
      next = order.below(cursor.row)
    }
    var rows = Rows(
      state: self, showsTrash: request.showsTrash, revision: head.revision, upcoming: next)
    return MailboxPage.write(
      head: head, counts: counts, swipe: swipe, limit: request.limit, rows: &rows)
  }

  private struct Rows: MailRows {
    let state: MailboxState
    let showsTrash: Bool
    let revision: Int
    var upcoming: Int?
    var last = 0

    mutating func next() -> MailRow? {
      while let number = upcoming {
        upcoming = state.order.below(number)
        guard let mail = state.mails[number], mail.state.trashed == showsTrash else { continue }
        last = number
        return MailRow(
          mail: number, from: mail.from, subject: mail.subject, message: mail.message,
          date: mail.date, read: mail.state.read, flag: mail.state.flag, swipe: mail.swipe)
      }
      return nil
    }

    func cursor() -> PageCursor { PageCursor(revision: revision, row: last) }
  }
}
