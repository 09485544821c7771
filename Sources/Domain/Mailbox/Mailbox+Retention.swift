internal import EventSourcing

extension Mailbox {
  func configure(_ retention: TrashRetention?) -> MailDecision {
    Decision(
      event: retention == self.retention ? nil : .retentionConfigured(retention), outcome: .done)
  }

  /// Purges those that are still in the trash, if the trash is still to be emptied at all.
  func expire(_ targets: Targets<MailID>) -> MailDecision {
    decide(each: targets) { mail, state in
      retention != nil && state.contains(.trashed) ? .purged(mail, nil) : nil
    }
  }
}
