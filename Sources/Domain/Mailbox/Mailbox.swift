public import EventSourcing

/// One mailbox: which mails there are, in what order and state, and how their rows are swiped.
///
/// A mail's texts are no part of the state, as no rule looks at them: what tells that mails belong
/// together is kept as hashes.
public struct Mailbox: Aggregate, Equatable {
  public static let category = StreamCategory.mailbox

  /// What a mail's byte in `states` says.
  struct State: OptionSet {
    let rawValue: UInt8
    static let read = State(rawValue: 1)
    static let flagged = State(rawValue: 2)
    static let trashed = State(rawValue: 4)
    /// Gone for good; only the number stays taken.
    static let purged = State(rawValue: 8)
    static let snoozed = State(rawValue: 16)
    /// Keeps a number free that a lost event may have given, until the next delivery tells. No purged
    /// mail is snoozed otherwise.
    static let lost: State = [.purged, .snoozed]
    /// Purged, and its text is to leave the log.
    static let erased = State(rawValue: 32)
    static let archived = State(rawValue: 64)
    static let pinned = State(rawValue: 128)
  }

  /// Whether the stream has an event.
  private(set) var exists = false
  /// By mail; the first is nobody's. A million mails cost a byte each here.
  var states: [State] = [.purged]
  /// All mails but purged ones, top first: those that are not in the inbox keep their places, out of
  /// sight.
  private(set) var order = OrderChain(lanes: 1)
  private(set) var known = KnownMails()
  var threads = MailThreads()
  var labels = MailLabels()
  var snoozes = Snoozes()
  private(set) var swipe = SwipeSettings.mailboxDefault
  private(set) var overrides = SwipeOverrides()
  /// What can be taken back.
  var journal = UndoJournal<MailStep>()
  /// The mails that leave for other mailboxes, and those that came from one.
  var moves = MailMoves()
  /// For how long mails stay in the trash; nil for ever.
  var retention: TrashRetention?

  /// No more numbers than this are taken to be of mails whose deliveries are lost.
  private static let gapLimit = 10_000_000

  public init() {}

  /// The state as a snapshot gives it.
  init(
    exists: Bool, states: [State], order: OrderChain, known: KnownMails, threads: MailThreads,
    labels: MailLabels, snoozes: Snoozes, swipe: SwipeSettings, retention: TrashRetention?,
    moves: MailMoves, journal: UndoJournal<MailStep>, overrides: SwipeOverrides
  ) {
    self.exists = exists
    self.states = states
    self.order = order
    self.known = known
    self.threads = threads
    self.labels = labels
    self.snoozes = snoozes
    self.swipe = swipe
    self.moves = moves
    self.journal = journal
    self.overrides = overrides
    self.retention = retention
  }

  public static var remembersCommands: Bool { true }

  public mutating func begin(_ cause: EventCause?) { journal.begin(cause) }

  /// The number of the next mail: none that was, or may have been, another's.
  var nextMail: MailID { MailID(states.count) }

  public mutating func apply(_ event: MailboxEvent) {
    exists = true
    moves.countEvent()
    switch event {
    case .delivered(let mail, let content): deliver(mail, content)
    case .read(let mail): mark(mail, .read, true)
    case .unread(let mail): mark(mail, .read, false)
    case .flagged(let mail): mark(mail, .flagged, true)
    case .unflagged(let mail): mark(mail, .flagged, false)
    case .trashed(let mail): mark(mail, .trashed, true)
    case .restored(let mail): mark(mail, .trashed, false)
    case .purged(let mail, let erasure):
      if state(mail) != nil || erasure != nil && purgedState(mail) == .purged {
        journal.record(.purged(mail.slot))
      }
      purge(mail)
      if let erasure { erase(mail, erasure) }
    case .reordered(let mail, let after): reorder(mail, after: after)
    case .swipeConfigured(let configuration): configure(configuration)
    case .mailSwipeConfigured(let mail, let sides): setSwipe(of: mail, sides)
    case .mailSwipeCleared(let mail): setSwipe(of: mail, nil)
    case .archived(let mail): mark(mail, .archived, true)
    case .unarchived(let mail): mark(mail, .archived, false)
    case .pinned(let mail): mark(mail, .pinned, true)
    case .unpinned(let mail): mark(mail, .pinned, false)
    case .labeled(let mail, let label): setLabel(label, of: mail, true)
    case .unlabeled(let mail, let label): setLabel(label, of: mail, false)
    case .snoozed(let mail, let until): setSnooze(of: mail, until)
    case .unsnoozed(let mail, _): setSnooze(of: mail, nil)
    case .threadMuted(let thread): setMuted(thread, true)
    case .threadUnmuted(let thread): setMuted(thread, false)
    case .retentionConfigured(let retention): setRetention(retention)
    case .moveRequested(let mail, let target): beginMove(mail, to: target)
    case .moved(let mail, _, _): leave(mail)
    case .moveFailed(let mail, _, _): moves.end(mail)
    case .lost: states.append(.lost)
    }
  }

  /// How many events were lost since the last delivery.
  static func lostCount(in states: [State]) -> Int {
    states.reversed().prefix { $0 == .lost }.count
  }

  /// The mail's state, nil where there is none with this id, or none any more.
  func state(_ mail: MailID) -> State? {
    guard states.indices.contains(mail.rawValue), !states[mail.rawValue].contains(.purged) else {
      return nil
    }
    return states[mail.rawValue]
  }

  /// The state of a mail that was purged; nil for every other id.
  func purgedState(_ mail: MailID) -> State? {
    guard states.indices.contains(mail.rawValue), mail.rawValue > 0 else { return nil }
    let state = states[mail.rawValue]
    return state == .purged || state == [.purged, .erased] ? state : nil
  }

  private mutating func deliver(_ mail: MailID, _ content: MailContent) {
    // Numbers come in order: what was lost before this one was no delivery of a later one.
    let delivered = states.count - Self.lostCount(in: states)
    guard mail.rawValue >= delivered, mail.rawValue - delivered <= Self.gapLimit, mail.slot != 0
    else { return }
    states.removeSubrange(delivered...)
    // The mails between are lost; their numbers stay taken.
    while states.count < mail.rawValue {
      states.append(.purged)
      order.addSlot()
    }
    var state: State = []
    if content.read == true { state.insert(.read) }
    if content.flagged == true { state.insert(.flagged) }
    if content.trashed == true { state.insert(.trashed) }
    if content.archived == true { state.insert(.archived) }
    if content.pinned == true { state.insert(.pinned) }
    states.append(state)
    order.addSlot()
    order.insert(mail.slot, after: 0, in: 0)
    known.add(mail, content)
    journal.record(.delivered(mail.slot))
    threads.add(mail.slot, content)
    moves.deliver(mail, from: content.origin)
    if let given = content.labels { labels.set(mail.slot, given) }
  }

  private mutating func mark(_ mail: MailID, _ mark: MailMark, _ isSet: Bool) {
    guard let state = state(mail), state.contains(mark.state) != isSet else { return }
    journal.record(.marked(mail.slot, mark, was: !isSet))
    if isSet {
      states[mail.rawValue].insert(mark.state)
    } else {
      states[mail.rawValue].remove(mark.state)
    }
  }

  private mutating func configure(_ configuration: SwipeConfiguration) {
    journal.record(.configured(configuration.replaced(in: swipe)))
    swipe = configuration.applied(to: swipe)
  }

  private mutating func setSwipe(of mail: MailID, _ sides: SwipeConfiguration?) {
    guard state(mail) != nil else { return }
    journal.record(.configuredRow(mail.slot, was: overrides[mail.slot]))
    overrides.set(mail.slot, sides)
  }

  mutating func purge(_ mail: MailID) {
    guard state(mail) != nil else { return }
    moves.end(mail)
    snoozes.remove(mail.slot, thread: threads.thread(of: mail.slot))
    labels.set(mail.slot, [])
    states[mail.rawValue] = .purged
    order.remove(mail.slot, from: 0)
    overrides.set(mail.slot, nil)
  }

  private mutating func erase(_ mail: MailID, _ erasure: MailErasure) {
    guard purgedState(mail) == .purged else { return }
    states[mail.rawValue].insert(.erased)
    known.erase(mail, erasure.known)
    threads.erase(mail.slot)
  }

  private mutating func reorder(_ mail: MailID, after anchor: MailID?) {
    guard state(mail) != nil, anchor != mail else { return }
    if let anchor, state(anchor) == nil { return }
    journal.record(
      .moved(
        mail.slot, above: order.number(before: mail.slot), below: order.number(after: mail.slot)))
    order.remove(mail.slot, from: 0)
    order.insert(mail.slot, after: anchor?.slot ?? 0, in: 0)
  }
}
