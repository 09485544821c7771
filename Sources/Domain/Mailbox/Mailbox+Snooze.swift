internal import EventSourcing

extension Mailbox {
  func snooze(
    _ targets: Targets<MailID>, _ until: Timestamp, in context: DecisionContext
  ) throws(ServiceError) -> MailDecision {
    guard let targets = try resolve(targets, where: { !$0.contains(.trashed) }) else {
      return .nothing
    }
    try requireAll(targets)
    try require(targets, "must not be in the trash to be snoozed") { !$0.contains(.trashed) }
    guard until > context.time else {
      throw ServiceError(.invalid, "'until' must lie in the future; it is \(context.time) now")
    }
    return decide(each: targets) { mail, _ in
      snoozes.until[mail.slot] == until ? nil : .snoozed(mail, until: until)
    }
  }

  /// A mail whose time has come. One that sleeps until another time by now, or not at all, goes on as
  /// it is.
  func wake(_ mail: MailID, _ until: Timestamp) throws(ServiceError) -> MailDecision {
    try requireStaying(CollectionOfOne(mail))
    var events: [MailboxEvent] = []
    if let state = state(mail), snoozes.until[mail.slot] == until {
      wake(mail, state, .time, &events)
    }
    return Decision(events, outcome: .done)
  }

  /// Adds what brings a sleeping mail back to the user's eyes: to the top of the inbox, wherever it
  /// was snoozed. In the trash it only stops sleeping.
  func wake(
    _ mail: MailID, _ state: State, _ reason: WakeReason, _ events: inout [MailboxEvent]
  ) {
    events.append(.unsnoozed(mail, reason))
    if state.contains(.trashed) { return }
    if state.contains(.archived) { events.append(.unarchived(mail)) }
    events.append(.reordered(mail, after: nil))
  }
}
