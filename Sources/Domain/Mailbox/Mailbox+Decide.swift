public import EventSourcing

extension Mailbox {
  typealias MailDecision = Decision<MailboxEvent, MailboxOutcome>

  public func decide(
    _ command: MailboxCommand, in context: DecisionContext
  ) throws(ServiceError) -> Decision<MailboxEvent, MailboxOutcome> {
    let decision = try decideUnbounded(command, in: context)
    try BulkLimit.check(decision.outcome.results, events: decision.eventCount, "mails")
    return decision
  }

  @inline(__always)
  private func decideUnbounded(
    _ command: MailboxCommand, in context: DecisionContext
  ) throws(ServiceError) -> MailDecision {
    switch command {
    case .deliver(let content): return try deliver(content)
    case .configureSwipe(nil, let change): return try configureSwipe(change)
    case .wake, .expire, .showLeaving, .completeMove, .failMove:
      try requireService(context, command.name)
    case .arrive(let arrival):
      try requireService(context, command.name)
      return try arrive(arrival)
    default: break
    }
    guard exists else { throw ServiceError(.notFound, "there is no such mailbox") }
    switch command {
    case .change(let change, let targets): return try decide(change, targets)
    case .erase(let targets): return try erase(targets, in: context)
    case .reorder(let targets, let anchor): return try reorder(targets, anchor)
    case .swipe(let mail, let gesture): return try swipe(mail, gesture)
    case .press(let mail, let gesture): return try press(mail, gesture)
    case .undo(let command): return try undo(command)
    case .configureSwipe(let mail?, let change): return try configureSwipe(of: mail, change)
    case .label(let label, let targets): return try addLabel(label, to: targets)
    case .unlabel(let label, let targets): return try removeLabel(label, from: targets)
    case .snooze(let until, let targets): return try snooze(targets, until, in: context)
    case .mute(let target): return try mute(target, true)
    case .unmute(let target): return try mute(target, false)
    case .configureRetention(let retention): return configure(retention)
    case .wake(let mail, let until): return try wake(mail, until)
    case .expire(let targets): return expire(targets)
    case .move(let targets, let target): return try move(targets, to: target, in: context)
    case .showLeaving(let targets): return showLeaving(targets)
    case .completeMove(let mail, let target, let there):
      return try completeMove(mail, to: target, as: there)
    case .failMove(let mail, let target, let reason):
      return try failMove(mail, to: target, because: reason)
    case .deliver, .configureSwipe(nil, _), .arrive: preconditionFailure("decided above")
    }
  }

  private func deliver(_ content: MailContent) throws(ServiceError) -> MailDecision {
    if let mail = known.mail(like: content) {
      return Decision([], outcome: .delivered(mail))
    }
    let mail = nextMail
    guard mail.slot != 0 else { throw ServiceError(.rejected, "the mailbox has no numbers left") }
    try requireRoom(for: content.labels ?? [])
    return arrival(of: content, as: mail)
  }

  private func decide(
    _ change: MailChange, _ targets: Targets<MailID>
  ) throws(ServiceError) -> MailDecision {
    if let mail = targets.single { return try decide(change, mail) }
    guard let targets = try resolve(targets, where: { change.isMeant(for: $0) }) else {
      return .nothing
    }
    try requireAll(targets)
    if change == .purge {
      try require(targets, Self.purgeRule) { $0.contains(.trashed) }
    }
    var events: [MailboxEvent] = []
    var results = BulkResults<MailID>()
    for mail in targets.ids {
      let count = events.count
      if let state = state(mail) { change.add(to: &events, mail, state) }
      results.add(mail, changed: events.count > count)
    }
    return Decision(events, outcome: .results(results))
  }

  private func decide(_ change: MailChange, _ mail: MailID) throws(ServiceError) -> MailDecision {
    guard let state = state(mail), change != .purge || state.contains(.trashed) else {
      try requireAll(Targets(mail))
      throw ServiceError(.rejected, "mail \(mail) \(Self.purgeRule)", ids: [mail.rawValue])
    }
    try requireStaying(CollectionOfOne(mail))
    return change.decision(mail, state, outcome: .done)
  }

  /// Commands of the service are none to a client.
  private func requireService(
    _ context: DecisionContext, _ name: String
  ) throws(ServiceError) {
    guard context.command.isReserved else { throw Self.unknown(name) }
  }

  static func unknown(_ name: String) -> ServiceError {
    ServiceError(.unknownCommand, "a mailbox has no command '\(name)'")
  }

  static let purgeRule = "must be in the trash to be purged"

  /// Refuses the command where it names mails that are not there, or are on their way to another
  /// mailbox.
  func requireAll(_ targets: Targets<MailID>) throws(ServiceError) {
    let missing = targets.ids.filter { state($0) == nil }
    guard let first = missing.first else { return try requireStaying(targets.ids) }
    throw ServiceError(
      .notFound,
      missing.count == 1
        ? "there is no mail \(first)"
        : "there are no mails with \(missing.count) of these ids",
      ids: missing.lazy.map(\.rawValue))
  }

  /// Refuses the command where one of its mails, which all are there, is not as it must be.
  func require(
    _ targets: Targets<MailID>, _ requirement: String, _ holds: (State) -> Bool
  ) throws(ServiceError) {
    let wrong = targets.ids.filter { mail in state(mail).map { !holds($0) } ?? true }
    guard let first = wrong.first else { return }
    throw ServiceError(
      .rejected,
      wrong.count == 1 ? "mail \(first) \(requirement)" : "\(wrong.count) mails \(requirement)",
      ids: wrong.lazy.map(\.rawValue))
  }
}

extension Mailbox.MailDecision {
  /// Of a selection that covers nothing.
  static var nothing: Self { Decision([], outcome: .results(BulkResults())) }
}

extension MailChange {
  /// Adds the events that bring the change about: one at most, but for a mail that is put away for
  /// good, which need not be woken any more.
  func add(to events: inout [MailboxEvent], _ mail: MailID, _ state: Mailbox.State) {
    if endsSnooze(state) { events.append(.unsnoozed(mail, .command)) }
    if let event = event(mail, state) { events.append(event) }
  }

  /// The same as a decision.
  func decision(
    _ mail: MailID, _ state: Mailbox.State, outcome: MailboxOutcome, via: String? = nil
  ) -> Mailbox.MailDecision {
    guard endsSnooze(state) else {
      return Decision(event: event(mail, state), outcome: outcome, via: via)
    }
    var events: [MailboxEvent] = []
    add(to: &events, mail, state)
    return Decision(events, outcome: outcome, via: via)
  }

  /// Whether it changes a mail in this state.
  func changes(_ mail: MailID, _ state: Mailbox.State) -> Bool {
    event(mail, state) != nil || endsSnooze(state)
  }

  private func endsSnooze(_ state: Mailbox.State) -> Bool {
    self == .archive && state.contains(.snoozed)
  }

  /// The event that brings the change about, nil where the mail is in the wanted state already.
  func event(_ mail: MailID, _ state: Mailbox.State) -> MailboxEvent? {
    switch self {
    case .markRead: state.contains(.read) ? nil : .read(mail)
    case .markUnread: state.contains(.read) ? .unread(mail) : nil
    case .flag: state.contains(.flagged) ? nil : .flagged(mail)
    case .unflag: state.contains(.flagged) ? .unflagged(mail) : nil
    case .trash: state.contains(.trashed) ? nil : .trashed(mail)
    case .restore: state.contains(.trashed) ? .restored(mail) : nil
    case .purge: .purged(mail, nil)
    case .archive: state.contains(.archived) ? nil : .archived(mail)
    case .unarchive: state.contains(.archived) ? .unarchived(mail) : nil
    case .pin: state.contains(.pinned) ? nil : .pinned(mail)
    case .unpin: state.contains(.pinned) ? .unpinned(mail) : nil
    case .unsnooze: state.contains(.snoozed) ? .unsnoozed(mail, .command) : nil
    }
  }
}
