internal import EventSourcing
internal import FastJSON

/// Reads what delivered a mail from the log.
struct DeliveryReader {
  private static let eventsAtOnce = 1000

  private let store: any EventStore
  private let parser = JSONParser()

  init(store: any EventStore) { self.store = store }

  /// - Throws: `unavailable` where the log cannot be read, or has no such delivery.
  func content(
    of leaving: LeavingMail, in stream: StreamID
  ) throws(ServiceError) -> MailContent {
    let first = leaving.delivery.rawValue
    if let content = try search(
      for: leaving.mail, in: stream, after: max(first, 1) - 1, atMost: 1)
    {
      return content
    }
    // Where a repair has moved events, or the number was too large to keep.
    if let content = try search(for: leaving.mail, in: stream, after: 0, atMost: .max) {
      return content
    }
    throw ServiceError(
      .unavailable, "the log has no delivery of mail \(leaving.mail) in \(stream)")
  }

  private func search(
    for mail: MailID, in stream: StreamID, after revision: UInt64, atMost count: Int
  ) throws(ServiceError) -> MailContent? {
    var revision = Revision(revision)
    var left = count
    var found: MailContent?
    var failure: EventCodingError?
    while left > 0 {
      let before = revision
      do throws(ReadError) {
        let limit = ReadLimit(events: min(left, Self.eventsAtOnce))
        try store.visit(stream, after: before, limit: limit) { event in
          revision = event.revision
          left -= 1
          guard event.type.equals("mail.delivered") else { return true }
          do throws(EventCodingError) {
            guard case .delivered(mail, let content) = try MailboxEvent(event, parser) else {
              return true
            }
            found = content
          } catch {
            failure = error
          }
          return false
        }
      } catch {
        throw ServiceError(.unavailable, "\(stream): \(error)")
      }
      if let failure { throw ServiceError(.unavailable, "\(stream): \(failure)") }
      if found != nil || revision == before { break }
    }
    return found
  }
}
