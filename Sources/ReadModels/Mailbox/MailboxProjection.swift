internal import Domain
internal import EventSourcing
internal import FastJSON

/// Builds the view `mailbox`: the mails of every mailbox in their order.
///
/// An event that makes no sense where it comes (which no version of the rules gives) changes
/// nothing but the revision; ``MailboxState`` does the same.
struct MailboxProjection: ViewProjection {
  typealias Model = MailboxModel

  static let name = "mailbox"
  static let version: UInt32 = 2
  static let category = StreamCategory.mailbox

  func project(
    _ recorded: EventView, into model: borrowing MailboxModel
  ) throws(ProjectionError) {
    let event: MailboxEvent = try model.decoder.decode(recorded)
    // A class in a borrowing parameter has to be copied to be captured.
    let model = copy model
    try model.storing(recorded) { () throws(ReadModelError) in
      let head = try model.head(of: recorded)
      try head.takeNext(recorded)
      try apply(event, to: head, in: model)
      model.heads.markDirty(head)
    }
  }

  private func apply(
    _ event: MailboxEvent, to head: MailboxHead, in model: MailboxModel
  ) throws(ReadModelError) {
    switch event {
    case .delivered(let mail, let content): try model.deliver(mail.rawValue, content, to: head)
    case .read(let mail): try model.change(mail.rawValue, in: head) { $0.read = true }
    case .unread(let mail): try model.change(mail.rawValue, in: head) { $0.read = false }
    case .flagged(let mail): try model.change(mail.rawValue, in: head) { $0.flag = true }
    case .unflagged(let mail): try model.change(mail.rawValue, in: head) { $0.flag = false }
    case .trashed(let mail): try model.change(mail.rawValue, in: head) { $0.trashed = true }
    case .restored(let mail): try model.change(mail.rawValue, in: head) { $0.trashed = false }
    case .archived(let mail): try model.change(mail.rawValue, in: head) { $0.archived = true }
    case .unarchived(let mail): try model.change(mail.rawValue, in: head) { $0.archived = false }
    case .pinned(let mail): try model.change(mail.rawValue, in: head) { $0.pinned = true }
    case .unpinned(let mail): try model.change(mail.rawValue, in: head) { $0.pinned = false }
    case .labeled(let mail, let label): try model.setLabel(label, of: mail, true, in: head)
    case .unlabeled(let mail, let label): try model.setLabel(label, of: mail, false, in: head)
    case .snoozed(let mail, let until): try model.setSnooze(of: mail, until, in: head)
    case .unsnoozed(let mail, _): try model.setSnooze(of: mail, nil, in: head)
    case .threadMuted(let thread): try model.setMuted(thread, true, in: head)
    case .threadUnmuted(let thread): try model.setMuted(thread, false, in: head)
    case .purged(let mail, _), .moved(let mail, _, _): try model.purge(mail.rawValue, from: head)
    case .reordered(let mail, let anchor):
      try model.move(mail.rawValue, below: anchor?.rawValue, in: head)
    case .swipeConfigured(let configuration):
      head.swipe = StoredSwipe.text(
        configuration.applied(to: try StoredSwipe.settings(head.swipe) ?? .mailboxDefault))
    case .mailSwipeConfigured(let mail, let configuration):
      try model.configure(mail.rawValue, configuration, in: head)
    case .mailSwipeCleared(let mail): try model.clearSwipe(of: mail.rawValue, in: head)
    case .retentionConfigured, .moveRequested, .moveFailed, .lost: break
    }
  }
}
