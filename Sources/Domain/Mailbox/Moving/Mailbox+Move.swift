internal import EventSourcing

/// Moving mails to another mailbox, as this mailbox sees it: a client asks for it, the service carries
/// it out (see ``MoveStep``), and until it is done nothing else is done to the mail here.
extension Mailbox {
  /// Asks for mails to be moved.
  func move(
    _ targets: Targets<MailID>, to target: StreamID, in context: DecisionContext
  ) throws(ServiceError) -> MailDecision {
    guard target != context.stream else {
      throw ServiceError(.invalid, "'to' must name another mailbox than the mails' own")
    }
    guard let targets = try resolve(targets, where: { !$0.contains(.trashed) }) else {
      return Decision([], outcome: .moving(to: target, BulkResults()))
    }
    try requireAll(targets)
    try require(targets, "must not be in the trash to be moved") { !$0.contains(.trashed) }
    var results = BulkResults<MailID>()
    for mail in targets.ids { results.add(mail, changed: true) }
    return Decision(
      targets.ids.map { .moveRequested($0, to: target) },
      outcome: .moving(to: target, targets.isBulk ? results : nil))
  }

  /// Refuses the command where one of its mails is being moved.
  func requireStaying(_ mails: some Sequence<MailID>) throws(ServiceError) {
    guard !moves.leaving.isEmpty else { return }
    let leaving = mails.filter { moves.leaving[$0.slot] != nil }
    guard let first = leaving.first, let target = moves.leaving[first.slot] else { return }
    throw ServiceError(
      .rejected,
      leaving.count == 1
        ? "mail \(first) is being moved to \(target); try again when that is done"
        : "\(leaving.count) of these mails are being moved; try again when that is done",
      ids: leaving.lazy.map(\.rawValue))
  }

  // MARK: Events

  mutating func beginMove(_ mail: MailID, to target: StreamID) {
    guard state(mail) != nil else { return }
    journal.record(.left(mail.slot))
    moves.begin(mail, to: target)
  }

  /// As a purged mail: only its number stays taken, and what it is known by.
  mutating func leave(_ mail: MailID) {
    guard state(mail) != nil else { return }
    journal.record(.left(mail.slot))
    purge(mail)
  }

  // MARK: The service's own commands

  /// Tells what the service must know of mails to move them; of those that are not being moved it says
  /// nothing.
  func showLeaving(_ targets: Targets<MailID>) -> MailDecision {
    let leaving = targets.ids.compactMap { mail -> LeavingMail? in
      guard let target = moves.leaving[mail.slot], let state = state(mail) else { return nil }
      return LeavingMail(
        mail: mail, target: target, delivery: moves.delivery(of: mail),
        read: state.contains(.read), flagged: state.contains(.flagged),
        archived: state.contains(.archived), pinned: state.contains(.pinned),
        labels: labels.labels(of: mail.slot), until: snoozes.until[mail.slot])
    }
    return Decision([], outcome: .leaving(leaving))
  }

  /// Takes in a mail from another mailbox: always as a new one, and once only.
  func arrive(_ arrival: MailArrival) throws(ServiceError) -> MailDecision {
    guard let origin = arrival.content.origin else {
      throw ServiceError(.invalid, "'origin' must be given")
    }
    if let mail = moves.mail(from: origin) { return Decision([], outcome: .delivered(mail)) }
    let mail = nextMail
    guard mail.slot != 0 else { throw ServiceError(.rejected, "the mailbox has no numbers left") }
    try requireRoom(for: arrival.content.labels ?? [])
    var content = arrival.content
    // It is no news to its thread here: it wakes nobody, and comes in the state that it had.
    content.thread = threads.thread(for: content, among: known).map { MailID(slot: $0) }
    var events = [MailboxEvent.delivered(mail, content)]
    if let until = arrival.until { events.append(.snoozed(mail, until: until)) }
    return Decision(events, outcome: .delivered(mail))
  }

  /// The mail is where it was to go: it leaves for good.
  func completeMove(
    _ mail: MailID, to target: StreamID, as there: MailID
  ) throws(ServiceError) -> MailDecision {
    try requireLeaving(mail, to: target)
    return Decision(event: .moved(mail, to: target, as: there), outcome: .done)
  }

  /// The mail cannot go there: it stays.
  func failMove(
    _ mail: MailID, to target: StreamID, because reason: String
  ) throws(ServiceError) -> MailDecision {
    try requireLeaving(mail, to: target)
    return Decision(event: .moveFailed(mail, to: target, reason: reason), outcome: .done)
  }

  private func requireLeaving(_ mail: MailID, to target: StreamID) throws(ServiceError) {
    guard moves.leaving[mail.slot] == target else {
      throw ServiceError(
        .rejected, "mail \(mail) is not being moved to \(target)", ids: [mail.rawValue])
    }
  }
}
