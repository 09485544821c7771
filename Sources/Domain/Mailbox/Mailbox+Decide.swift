public import EventSourcing

extension Mailbox {
  typealias MailDecision = Decision<MailboxEvent, MailboxOutcome>

  public func decide(
    _ command: MailboxCommand, in context: DecisionContext
  ) throws(ServiceError) -> Decision<MailboxEvent, MailboxOutcome> {
    let decision = try decideUnbounded(command, in: context)
    try BulkLimit.check(decision, "mails")
    return decision
  }

  @inline(__always)
  private func decideUnbounded(
    _ command: MailboxCommand, in context: DecisionContext
  ) throws(ServiceError) -> MailDecision {
    switch command {
    case .deliver(let content): return try deliver(content)
    case .configureSwipe(nil, let change): return try configureSwipe(change)
    case .configureSwipe, .change, .erase, .reorder, .swipe, .press, .undo: break
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
    case .deliver, .configureSwipe(nil, _): preconditionFailure("decided above")
    }
  }

  private func deliver(_ content: MailContent) throws(ServiceError) -> MailDecision {
    if let mail = known.mail(like: content) {
      return Decision([], outcome: .delivered(mail))
    }
    let mail = nextMail
    guard mail.slot != 0 else { throw ServiceError(.rejected, "the mailbox has no numbers left") }
    return Decision(event: .delivered(mail, content), outcome: .delivered(mail))
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
      let event = state(mail).flatMap { change.event(mail, $0) }
      if let event { events.append(event) }
      results.add(mail, changed: event != nil)
    }
    return Decision(events, outcome: .results(results))
  }

  private func decide(_ change: MailChange, _ mail: MailID) throws(ServiceError) -> MailDecision {
    guard let state = state(mail), change != .purge || state.contains(.trashed) else {
      try requireAll(Targets(mail))
      throw ServiceError(.rejected, "mail \(mail) \(Self.purgeRule)", ids: [mail.rawValue])
    }
    return Decision(event: change.event(mail, state), outcome: .done)
  }

  static let purgeRule = "must be in the trash to be purged"

  /// Refuses the command where it names mails that are not there.
  func requireAll(_ targets: Targets<MailID>) throws(ServiceError) {
    let missing = targets.ids.filter { state($0) == nil }
    guard let first = missing.first else { return }
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
    }
  }
}
