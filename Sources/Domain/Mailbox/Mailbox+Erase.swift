internal import Digests
internal import EventSourcing

extension Mailbox {
  /// Purges mails and has their text taken out of the log; also of those that are purged already,
  /// so that whoever forgot to ask for it can still do so.
  func erase(
    _ targets: Targets<MailID>, in context: DecisionContext
  ) throws(ServiceError) -> MailDecision {
    guard let targets = try resolve(targets, where: { MailChange.purge.isMeant(for: $0) }) else {
      return .nothing
    }
    let present = targets.ids.filter { purgedState($0) == nil }
    // What is neither purged nor there is reported by the rules of every other command.
    if let visible = Targets(set: present) {
      try requireAll(visible)
      try require(visible, Self.purgeRule) { $0.contains(.trashed) }
    }
    let salt = Self.salt(context)
    var events: [MailboxEvent] = []
    var results = BulkResults<MailID>()
    for mail in targets.ids {
      let isErased = purgedState(mail)?.contains(.erased) == true
      if !isErased {
        events.append(.purged(mail, MailErasure(known: known.erasing(mail, newSalt: salt))))
      }
      results.add(mail, changed: !isErased)
    }
    return Decision(events, outcome: targets.isBulk ? .results(results) : .done)
  }

  /// Deciding knows no chance: the command's id, which clients choose at random, and its time give
  /// the salt of a mailbox that has none yet.
  private static func salt(_ context: DecisionContext) -> Fingerprint {
    Fingerprint(
      of: "swipestream erasure salt\n\(context.command)\n\(context.time.microseconds)")
  }
}
