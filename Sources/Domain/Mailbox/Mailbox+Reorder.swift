internal import EventSourcing

extension Mailbox {
  /// Places mails among those in the inbox, pinned or not.
  ///
  /// The event says behind which mail, in the order of all mails, whether in the inbox or not: between
  /// that mail and the moved one none is left that is somewhere else.
  func reorder(
    _ targets: Targets<MailID>, _ anchor: Anchor<MailID>
  ) throws(ServiceError) -> MailDecision {
    guard let targets = try resolve(targets, where: \.isInInbox) else {
      return .nothing
    }
    try requireAll(targets)
    try require(targets, "must be in the inbox to be moved", \.isInInbox)
    let moved = Set(targets.ids.map(\.slot))
    try check(anchor, moved: moved)
    let above = mailAbove(anchor, moved: moved)
    let moves = planMoves(
      moved.sorted { order.precedes($0, $1) },
      after: above,
      follower: visible(from: above == 0 ? order.first(in: 0) : order.number(after: above)),
      next: { visible(from: order.number(after: $0)) })
    let events = moves.map { move in
      MailboxEvent.reordered(MailID(slot: move.number), after: .optional(slot: move.after))
    }
    guard targets.isBulk else { return Decision(events, outcome: .done) }
    let changed = Set(moves.map(\.number))
    var results = BulkResults<MailID>()
    for mail in targets.ids { results.add(mail, changed: changed.contains(mail.slot)) }
    return Decision(events, outcome: .results(results))
  }

  private func check(_ anchor: Anchor<MailID>, moved: Set<UInt32>) throws(ServiceError) {
    guard let mail = anchor.id else { return }
    guard states.indices.contains(mail.rawValue) else {
      throw ServiceError(.invalid, "the anchor, mail \(mail), never existed")
    }
    guard !moved.contains(mail.slot) else {
      throw ServiceError(.invalid, "the anchor, mail \(mail), must not be among the mails moved")
    }
    guard let state = state(mail), state.isInInbox else {
      throw ServiceError(.anchorGone, "the anchor, mail \(mail), is not in the inbox any more")
    }
  }

  /// The mail in the inbox that stays and that the moved ones go below; 0 for the top.
  private func mailAbove(_ anchor: Anchor<MailID>, moved: Set<UInt32>) -> UInt32 {
    var mail: UInt32
    switch anchor {
    case .after(let anchor): return anchor.slot
    case .first: return 0
    case .before(let anchor): mail = order.number(before: anchor.slot)
    case .last: mail = order.last(in: 0)
    }
    while mail != 0, isHidden(mail) || moved.contains(mail) { mail = order.number(before: mail) }
    return mail
  }

  /// The first mail in the inbox from `mail` on downwards, 0 for none.
  private func visible(from mail: UInt32) -> UInt32 {
    var mail = mail
    while mail != 0, isHidden(mail) { mail = order.number(after: mail) }
    return mail
  }

  private func isHidden(_ mail: UInt32) -> Bool { !states[Int(mail)].isInInbox }
}
