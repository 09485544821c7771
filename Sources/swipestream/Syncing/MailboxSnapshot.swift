internal import EventSourcing
internal import FastJSON
internal import MailFiles
internal import MailSync
internal import SwipestreamClient

/// The flags of all mails of a mailbox, and from where on its events are needed to keep them up.
struct MailboxSnapshot: Sendable {
  let log: String
  let position: GlobalPosition
  let flags: ServiceFlags

  /// Reads all mails of the mailbox view, whatever box they are in: what is archived or snoozed is still
  /// there. The pages need not be of one moment: the events behind the first page bring all of them to
  /// the same one.
  static func load(
    _ stream: StreamID, _ client: ServiceClient
  ) async throws(ClientError) -> MailboxSnapshot {
    let status = try await client.request("status")
    guard let log = status["log"]?.string, let head = status["head"]?.integer else {
      throw .unexpectedAnswer("the status has no log")
    }
    var pages = Pages(stream: stream, head: head, client: client)
    try await pages.read()
    return MailboxSnapshot(
      log: log, position: GlobalPosition(UInt64(pages.position ?? head)),
      flags: ServiceFlags(pages.mails))
  }

  private struct Pages {
    let stream: StreamID
    let head: Int
    let client: ServiceClient
    var mails: [Int: MailFlags] = [:]
    /// Of the first page.
    var position: Int?

    mutating func read() async throws(ClientError) {
      var cursor: JSON?
      repeat {
        guard let page = try await page(cursor) else { return }
        position = position ?? page["position"]?.integer
        for row in page["rows"]?.array ?? [] { add(row) }
        cursor = page.nextCursor
      } while cursor != nil
    }

    /// Nil where there is no such mailbox yet.
    private func page(_ cursor: JSON?) async throws(ClientError) -> JSON? {
      var members: [JSON.Member] = [
        .init("view", "mailbox"), .init("stream", .string(stream.description)),
        .init("in", "all"), .init("limit", 1000), .init("atLeast", .integer(head)),
      ]
      if let cursor { members.append(.init("cursor", cursor)) }
      do throws(ClientError) {
        let page = try await client.request(
          "query", members, timeoutMilliseconds: client.timeoutMilliseconds + 5000)
        if let parked = page["parked"]?.integer {
          throw .unexpectedAnswer(
            "the view of \(stream) stands still at \(parked); see `swipestream views`")
        }
        return page
      } catch .refused(let error) where error.code == .notFound {
        return nil
      }
    }

    private mutating func add(_ row: JSON) {
      guard let mail = row["mail"]?.integer else { return }
      var flags: MailFlags = row["in"]?.string == "trash" ? .trashed : []
      if row["read"]?.bool == true { flags.insert(.read) }
      if row["flag"]?.bool == true { flags.insert(.flagged) }
      mails[mail] = flags
    }
  }
}

extension Event {
  /// The flags that a `mail.delivered` begins with.
  var deliveredFlags: MailFlags {
    var flags: MailFlags = []
    if data["read"]?.bool == true { flags.insert(.read) }
    if data["flagged"]?.bool == true { flags.insert(.flagged) }
    if data["trashed"]?.bool == true { flags.insert(.trashed) }
    return flags
  }
}
