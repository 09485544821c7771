internal import EventSourcing

extension Mailbox {
  /// Takes back an earlier command, by events that lead back to what was before it.
  func undo(_ command: CommandID) throws(ServiceError) -> MailDecision {
    let steps = try journal.stepsToUndo(command, of: "mail")
    try requireMails(of: steps)
    var events: [MailboxEvent] = []
    // Each step is taken back where the ones behind it were; one needs no copy.
    var draft = self
    draft.journal = UndoJournal()
    for (index, step) in steps.enumerated() {
      guard let event = step.compensation(in: draft) else { continue }
      events.append(event)
      if index < steps.count - 1 { draft.apply(event) }
    }
    return Decision(
      events, outcome: .undone(command, results(of: steps, events)), undoes: command)
  }

  /// A mail that is gone for good cannot get anything back.
  private func requireMails(of steps: [MailStep]) throws(ServiceError) {
    let gone = Set(steps.lazy.compactMap(\.mail).filter { state($0) == nil }).sorted()
    guard let first = gone.first else {
      return try requireStaying(steps.lazy.compactMap(\.mail))
    }
    throw ServiceError(
      .rejected,
      gone.count == 1
        ? "mail \(first) is gone, so the command cannot be taken back"
        : "\(gone.count) of the command's mails are gone, so it cannot be taken back",
      ids: gone.map(\.rawValue))
  }

  private func results(of steps: [MailStep], _ events: [MailboxEvent]) -> BulkResults<MailID> {
    let changed = Set(events.lazy.compactMap(\.changedMail))
    var seen = Set<MailID>()
    var results = BulkResults<MailID>()
    for mail in steps.reversed().lazy.compactMap(\.mail) where seen.insert(mail).inserted {
      results.add(mail, changed: changed.contains(mail))
    }
    return results
  }
}

extension MailboxEvent {
  /// The mail that an event of an undo changes; nil for the whole mailbox.
  fileprivate var changedMail: MailID? {
    switch self {
    case .delivered(let mail, _), .read(let mail), .unread(let mail), .flagged(let mail),
      .unflagged(let mail), .trashed(let mail), .restored(let mail), .purged(let mail, _),
      .reordered(let mail, _), .mailSwipeConfigured(let mail, _), .mailSwipeCleared(let mail),
      .archived(let mail), .unarchived(let mail), .pinned(let mail),
      .unpinned(let mail), .labeled(let mail, _), .unlabeled(let mail, _), .snoozed(let mail, _),
      .unsnoozed(let mail, _), .moveRequested(let mail, _), .moved(let mail, _, _),
      .moveFailed(let mail, _, _):
      mail
    case .swipeConfigured, .threadMuted, .threadUnmuted, .retentionConfigured, .lost: nil
    }
  }
}

extension MailStep {
  /// The event that leads back; nil where nothing is left to do.
  fileprivate func compensation(in mailbox: Mailbox) -> MailboxEvent? {
    switch self {
    case .marked(let mail, let mark, let was):
      let mail = MailID(slot: mail)
      return mailbox.state(mail).flatMap { mark.change(to: was).event(mail, $0) }
    case .delivered(let mail):
      let mail = MailID(slot: mail)
      return mailbox.state(mail).flatMap { MailChange.trash.event(mail, $0) }
    case .moved(let mail, let above, let below):
      let place = mailbox.order.place(of: mail, above: above, below: below, in: 0) {
        mailbox.state(MailID(slot: $0)) != nil
      }
      guard place != mailbox.order.number(before: mail) else { return nil }
      return .reordered(MailID(slot: mail), after: .optional(slot: place))
    case .configured(let sides):
      return sides.applied(to: mailbox.swipe) == mailbox.swipe ? nil : .swipeConfigured(sides)
    case .configuredRow(let mail, let sides):
      guard sides != mailbox.overrides[mail] else { return nil }
      return sides.map { .mailSwipeConfigured(MailID(slot: mail), $0) }
        ?? .mailSwipeCleared(MailID(slot: mail))
    case .purged, .left: return nil
    case .labeled(let mail, let label, let was):
      if mailbox.labels.has(mail, label) == was { return nil }
      let mail = MailID(slot: mail)
      return was ? .labeled(mail, label) : .unlabeled(mail, label)
    case .snoozed(let mail, let was):
      if mailbox.snoozes.until[mail] == was { return nil }
      let mail = MailID(slot: mail)
      return was.map { .snoozed(mail, until: $0) } ?? .unsnoozed(mail, .command)
    case .muted(let thread, let was):
      if mailbox.threads.muted.contains(thread) == was { return nil }
      let thread = MailID(slot: thread)
      return was ? .threadMuted(thread) : .threadUnmuted(thread)
    case .retention(let was): return mailbox.retention == was ? nil : .retentionConfigured(was)
    }
  }
}
