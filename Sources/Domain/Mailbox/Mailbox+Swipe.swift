internal import EventSourcing

extension Mailbox {
  /// Decides how all rows are swiped that have no settings of their own.
  func configureSwipe(_ change: SwipeChange) throws(ServiceError) -> MailDecision {
    guard let configuration = try change.configuration(for: .mail) else {
      return Decision([], outcome: .done)
    }
    // The first event makes the mailbox, whatever it sets.
    let changes = !exists || configuration.applied(to: swipe) != swipe
    return Decision(event: changes ? .swipeConfigured(configuration) : nil, outcome: .done)
  }

  /// Decides how one mail's row is swiped.
  func configureSwipe(of mail: MailID, _ change: SwipeChange) throws(ServiceError) -> MailDecision {
    try requireAll(Targets(mail))
    let present = overrides[mail.slot]
    guard let configuration = try change.configuration(for: .mail) else {
      return Decision(event: present == nil ? nil : .mailSwipeCleared(mail), outcome: .done)
    }
    try overrides.requireRoom(for: mail.slot)
    let sides = configuration.applied(to: present)
    return Decision(
      event: sides == present ? nil : .mailSwipeConfigured(mail, sides), outcome: .done)
  }
}
