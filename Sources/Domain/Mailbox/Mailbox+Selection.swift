internal import EventSourcing

extension Mailbox {
  /// The targets as ids; nil where a selection covers none of them.
  ///
  /// - Parameter isMeant: whether the command can be meant for a mail in this state. What is named
  ///   by its id, or by its box, is left to the command's own rules.
  func resolve(
    _ targets: Targets<MailID>, where isMeant: (State) -> Bool
  ) throws(ServiceError) -> Targets<MailID>? {
    guard let selection = targets.selection else { return targets }
    let box = try Self.box(selection)
    func isCovered(_ mail: MailID) -> Bool {
      // Those that leave for another mailbox are nobody's for a while.
      moves.leaving[mail.slot] == nil && state(mail).map { box?($0) ?? isMeant($0) } == true
    }
    return Targets(set: selection.ids(upTo: states.count - 1, thread: thread, where: isCovered))
  }

  private func thread(of mail: MailID) -> MailID? {
    threads.hasNumber(mail) ? MailID(slot: threads.thread(of: mail.slot)) : nil
  }

  /// Which mails are in the box that `all` names.
  private static func box(
    _ selection: Selection<MailID>
  ) throws(ServiceError) -> ((State) -> Bool)? {
    guard case .all(let place?) = selection else { return nil }
    guard case .name(let name) = place, let box = MailBox(rawValue: name) else {
      throw ServiceError(.invalid, "'in' must be 'inbox', 'archive', 'snoozed' or 'trash'")
    }
    return { $0.box == box }
  }
}

extension MailChange {
  /// Whether a selection is meant to cover a mail in this state.
  func isMeant(for state: Mailbox.State) -> Bool {
    switch self {
    case .restore, .purge: state.contains(.trashed)
    case .markRead, .markUnread, .flag, .unflag, .trash, .archive, .unarchive, .pin, .unpin,
      .unsnooze:
      !state.contains(.trashed)
    }
  }
}
