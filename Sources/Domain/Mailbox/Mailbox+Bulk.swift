internal import EventSourcing

extension Mailbox {
  /// One event at most for each of the mails, which all are there.
  func decide(
    each targets: Targets<MailID>, _ event: (MailID, State) -> MailboxEvent?
  ) -> MailDecision {
    if let mail = targets.single {
      return Decision(event: state(mail).flatMap { event(mail, $0) }, outcome: .done)
    }
    var events: [MailboxEvent] = []
    var results = BulkResults<MailID>()
    for mail in targets.ids {
      let event = state(mail).flatMap { event(mail, $0) }
      if let event { events.append(event) }
      results.add(mail, changed: event != nil)
    }
    return Decision(events, outcome: .results(results))
  }
}
