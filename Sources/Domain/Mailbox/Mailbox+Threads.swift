internal import EventSourcing

extension Mailbox {
  /// What a new mail does: it joins its thread, arrives in the archive where that is muted, and else
  /// wakes those of the thread that sleep. It comes last, so that it is on top.
  func arrival(of content: MailContent, as mail: MailID) -> MailDecision {
    guard let thread = threads.thread(for: content, among: known) else {
      return Decision(event: .delivered(mail, content), outcome: .delivered(mail))
    }
    var content = content
    content.thread = MailID(slot: thread)
    var events: [MailboxEvent] = []
    if threads.muted.contains(thread) {
      content.archived = true
    } else if content.trashed != true, content.archived != true {
      for sleeping in snoozes.mails(of: thread) {
        guard let state = state(MailID(slot: sleeping)), !state.contains(.trashed),
          moves.leaving[sleeping] == nil
        else { continue }
        wake(MailID(slot: sleeping), state, .reply, &events)
      }
    }
    events.append(.delivered(mail, content))
    return Decision(events, outcome: .delivered(mail))
  }

  func mute(_ target: ThreadTarget, _ isMuted: Bool) throws(ServiceError) -> MailDecision {
    let thread = try thread(target)
    let event: MailboxEvent? =
      threads.muted.contains(thread.slot) == isMuted
      ? nil : isMuted ? .threadMuted(thread) : .threadUnmuted(thread)
    return Decision(event: event, outcome: .done)
  }

  private func thread(_ target: ThreadTarget) throws(ServiceError) -> MailID {
    switch target {
    case .mail(let mail):
      try requireAll(Targets(mail))
      return MailID(slot: threads.thread(of: mail.slot))
    case .thread(let thread):
      // A thread outlives its first mail.
      guard threads.hasNumber(thread) else {
        throw ServiceError(.notFound, "there is no thread \(thread)", ids: [thread.rawValue])
      }
      let present = threads.thread(of: thread.slot)
      guard present == thread.slot else {
        throw ServiceError(
          .notFound, "there is no thread \(thread): mail \(thread) is in thread \(present)",
          ids: [thread.rawValue])
      }
      return thread
    }
  }
}
