internal import Domain
internal import EventSourcing
internal import FastJSON
internal import Glibc

/// The kinds of work that a mailbox's agenda holds, by their number in the view's file. Work that is
/// due at the same time is done and listed in this order.
enum AgendaWork: Int, CaseIterable {
  case wake = 1
  case expire = 2
  case move = 3

  var kind: WorkKind {
    switch self {
    case .wake: .wake
    case .expire: .expire
    case .move: .move
    }
  }
}

/// What an event changes in the agenda of its mailbox.
enum AgendaChange {
  /// - since: when the work is due; of mails in the trash, when they came there, as the mailbox's
  ///   retention, which may change, is added to it.
  case add(AgendaWork, mail: Int, since: Int, target: StreamID?)
  case remove(AgendaWork, mail: Int)
  /// The mail is gone.
  case removeAll(mail: Int)
  /// In seconds; nil for none.
  case setRetention(Int?)
  case moved(mail: Int, mailThere: Int)
  case moveFailed(mail: Int, reason: String)

  /// Nil for an event that changes nothing here.
  ///
  /// - Parameter time: the event's.
  init?(_ event: MailboxEvent, at time: Timestamp) {
    let time = Int(time.microseconds)
    switch event {
    case .delivered(let mail, let content):
      guard content.trashed == true else { return nil }
      self = .add(.expire, mail: mail.rawValue, since: time, target: nil)
    case .trashed(let mail): self = .add(.expire, mail: mail.rawValue, since: time, target: nil)
    case .restored(let mail): self = .remove(.expire, mail: mail.rawValue)
    case .purged(let mail, _): self = .removeAll(mail: mail.rawValue)
    case .snoozed(let mail, let until):
      self = .add(.wake, mail: mail.rawValue, since: Int(until.microseconds), target: nil)
    case .unsnoozed(let mail, _): self = .remove(.wake, mail: mail.rawValue)
    case .retentionConfigured(let retention): self = .setRetention(retention?.seconds)
    case .moveRequested(let mail, let target):
      self = .add(.move, mail: mail.rawValue, since: time, target: target)
    case .moved(let mail, _, let there):
      self = .moved(mail: mail.rawValue, mailThere: there.rawValue)
    case .moveFailed(let mail, _, let reason):
      self = .moveFailed(mail: mail.rawValue, reason: reason)
    default: return nil
    }
  }

  /// Whether the event may change something here, told without reading it: hardly any does.
  static func mayBe(_ event: EventView) -> Bool {
    let type = event.type
    switch type.count {
    case 10: return type.equals("mail.moved")
    case 11: return type.equals("mail.purged")
    case 12: return type.equals("mail.trashed") || type.equals("mail.snoozed")
    case 13: return type.equals("mail.restored")
    case 14:
      return type.equals("mail.unsnoozed")
        || type.equals("mail.delivered") && arrivesInTrash(event.data)
    case 16: return type.equals("mail.move-failed")
    case 19: return type.equals("mail.move-requested")
    case 28: return type.equals("mailbox.retention-configured")
    default: return false
    }
  }

  /// Inside a text the quotes would have backslashes before them.
  private static func arrivesInTrash(_ data: UnsafeRawBufferPointer) -> Bool {
    let member: StaticString = #""trashed":true"#
    let length = member.utf8CodeUnitCount
    guard let start = data.baseAddress else { return false }
    var offset = 0
    while offset + length <= data.count,
      let quote = memchr(
        start + offset, Int32(UInt8(ascii: "\"")), data.count - offset - length + 1)
    {
      if memcmp(quote, member.utf8Start, length) == 0 { return true }
      offset = start.distance(to: UnsafeRawPointer(quote)) + 1
    }
    return false
  }
}
