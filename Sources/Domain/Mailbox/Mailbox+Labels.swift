internal import EventSourcing

extension Mailbox {
  func addLabel(
    _ label: MailLabel, to targets: Targets<MailID>
  ) throws(ServiceError) -> MailDecision {
    guard let targets = try resolve(targets, where: { !$0.contains(.trashed) }) else {
      return .nothing
    }
    try requireAll(targets)
    try requireRoom(for: [label])
    let limit = MailLabels.perMailLimit
    let full = targets.ids.filter { mail in
      let present = labels.labels(of: mail.slot)
      return present.count >= limit && !present.contains(label)
    }
    if let first = full.first {
      throw ServiceError(
        .rejected,
        (full.count == 1 ? "mail \(first) has" : "\(full.count) mails have")
          + " \(limit) labels already, the most that a mail can have",
        ids: full.lazy.map(\.rawValue))
    }
    return decide(each: targets) { mail, _ in
      labels.has(mail.slot, label) ? nil : .labeled(mail, label)
    }
  }

  func removeLabel(
    _ label: MailLabel, from targets: Targets<MailID>
  ) throws(ServiceError) -> MailDecision {
    guard let targets = try resolve(targets, where: { !$0.contains(.trashed) }) else {
      return .nothing
    }
    try requireAll(targets)
    return decide(each: targets) { mail, _ in
      labels.has(mail.slot, label) ? .unlabeled(mail, label) : nil
    }
  }

  /// A label that no mail has any more takes no room.
  func requireRoom(for more: [MailLabel]) throws(ServiceError) {
    let new = more.count { labels.uses[$0] == nil }
    guard new > 0, labels.uses.count + new > MailLabels.perMailboxLimit else { return }
    throw ServiceError(
      .rejected,
      "the mailbox has \(labels.uses.count) labels already, and \(MailLabels.perMailboxLimit) at "
        + "most; use one of them, or take one from all mails that have it")
  }
}
