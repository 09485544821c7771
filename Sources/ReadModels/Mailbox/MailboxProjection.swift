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
    case .read(let mail): try model.setRead(mail.rawValue, true, in: head)
    case .unread(let mail): try model.setRead(mail.rawValue, false, in: head)
    case .flagged(let mail): try model.setFlag(mail.rawValue, true, in: head)
    case .unflagged(let mail): try model.setFlag(mail.rawValue, false, in: head)
    case .trashed(let mail): try model.setTrashed(mail.rawValue, true, in: head)
    case .restored(let mail): try model.setTrashed(mail.rawValue, false, in: head)
    case .purged(let mail, _): try model.purge(mail.rawValue, from: head)
    case .reordered(let mail, let anchor):
      try model.move(mail.rawValue, below: anchor?.rawValue, in: head)
    case .swipeConfigured(let configuration):
      head.swipe = StoredSwipe.text(
        configuration.applied(to: try StoredSwipe.settings(head.swipe) ?? .mailboxDefault))
    case .mailSwipeConfigured(let mail, let configuration):
      try model.configure(mail.rawValue, configuration, in: head)
    case .mailSwipeCleared(let mail): try model.clearSwipe(of: mail.rawValue, in: head)
    case .lost: break
    }
  }
}
