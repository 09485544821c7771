internal import EventSourcing

/// What events about labels, snoozes, threads and the trash do. Those that say what is so already change
/// nothing.
extension Mailbox {
  mutating func setLabel(_ label: MailLabel, of mail: MailID, _ isSet: Bool) {
    guard state(mail) != nil, labels.has(mail.slot, label) != isSet else { return }
    journal.record(.labeled(mail.slot, label, was: !isSet))
    if isSet {
      labels.add(label, to: mail.slot)
    } else {
      labels.remove(label, from: mail.slot)
    }
  }

  /// - Parameter until: nil for a mail that wakes.
  mutating func setSnooze(of mail: MailID, _ until: Timestamp?) {
    let before = snoozes.until[mail.slot]
    guard state(mail) != nil, before != until else { return }
    journal.record(.snoozed(mail.slot, was: before))
    let thread = threads.thread(of: mail.slot)
    if let until {
      states[mail.rawValue].insert(.snoozed)
      snoozes.set(mail.slot, until: until, thread: thread)
    } else {
      states[mail.rawValue].remove(.snoozed)
      snoozes.remove(mail.slot, thread: thread)
    }
  }

  mutating func setMuted(_ thread: MailID, _ isMuted: Bool) {
    guard threads.hasNumber(thread), threads.muted.contains(thread.slot) != isMuted else { return }
    journal.record(.muted(thread.slot, was: !isMuted))
    threads.setMuted(thread.slot, isMuted)
  }

  mutating func setRetention(_ retention: TrashRetention?) {
    guard retention != self.retention else { return }
    journal.record(.retention(was: self.retention))
    self.retention = retention
  }
}
