internal import Domain
internal import EventSourcing

extension MailboxModel {
  func setLabel(
    _ label: MailLabel, of mail: MailID, _ isSet: Bool, in head: MailboxHead
  ) throws(ReadModelError) {
    let id = try RowID.of(mail.rawValue, in: head.number)
    guard try state(of: id) != nil else { return }
    try triage.set(id, label.text, isSet, in: head.number)
  }

  /// - Parameter until: nil for a mail that wakes.
  func setSnooze(
    of mail: MailID, _ until: Timestamp?, in head: MailboxHead
  ) throws(ReadModelError) {
    let id = try RowID.of(mail.rawValue, in: head.number)
    guard try state(of: id) != nil else { return }
    try triage.set(id, until: until.map { Int($0.microseconds) })
    try change(mail.rawValue, in: head) { $0.snoozed = until != nil }
  }

  func setMuted(
    _ thread: MailID, _ isMuted: Bool, in head: MailboxHead
  ) throws(ReadModelError) {
    guard thread.rawValue <= head.lastMail else { return }
    try triage.set(try RowID.of(thread.rawValue, in: head.number), muted: isMuted)
  }
}

extension MailContent {
  /// The thread of another mail that this one joins; nil where it begins its own.
  func joins(before mail: Int) -> Int? {
    thread.flatMap { $0.rawValue > 0 && $0.rawValue < mail ? $0.rawValue : nil }
  }
}
