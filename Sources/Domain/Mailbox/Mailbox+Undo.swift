internal import EventSourcing

extension Mailbox {
  /// Takes back an earlier command, by events that lead back to what was before it.
  func undo(_ command: CommandID) throws(ServiceError) -> MailDecision {
    let (events, results) = try takingBack(command)
    return Decision(events, outcome: .undone(command, results), undoes: command)
  }
}

extension Mailbox: UndoableState {
  static let rowName = "mail"

  func isThere(_ mail: MailID) -> Bool { state(mail) != nil }

  func checkTakingBack(of mails: some Sequence<MailID>) throws(ServiceError) {
    try requireStaying(mails)
  }

  func compensation(of step: MailStep) throws(ServiceError) -> MailboxEvent? {
    switch step {
    case .marked(let mail, let mark, let was):
      let mail = MailID(slot: mail)
      return state(mail).flatMap { mark.change(to: was).event(mail, $0) }
    case .delivered(let mail):
      let mail = MailID(slot: mail)
      return state(mail).flatMap { MailChange.trash.event(mail, $0) }
    case .moved(let mail, let above, let below):
      let place = order.place(of: mail, above: above, below: below, in: 0) {
        state(MailID(slot: $0)) != nil
      }
      guard place != order.number(before: mail) else { return nil }
      return .reordered(MailID(slot: mail), after: .optional(slot: place))
    case .configured(let sides):
      return sides.applied(to: swipe) == swipe ? nil : .swipeConfigured(sides)
    case .configuredRow(let mail, let sides):
      guard sides != overrides[mail] else { return nil }
      return sides.map { .mailSwipeConfigured(MailID(slot: mail), $0) }
        ?? .mailSwipeCleared(MailID(slot: mail))
    case .purged, .left: return nil
    case .labeled(let mail, let label, let was):
      if labels.has(mail, label) == was { return nil }
      let mail = MailID(slot: mail)
      return was ? .labeled(mail, label) : .unlabeled(mail, label)
    case .snoozed(let mail, let was):
      if snoozes.until[mail] == was { return nil }
      let mail = MailID(slot: mail)
      return was.map { .snoozed(mail, until: $0) } ?? .unsnoozed(mail, .command)
    case .muted(let thread, let was):
      if threads.muted.contains(thread) == was { return nil }
      let thread = MailID(slot: thread)
      return was ? .threadMuted(thread) : .threadUnmuted(thread)
    case .retention(let was): return retention == was ? nil : .retentionConfigured(was)
    }
  }
}
