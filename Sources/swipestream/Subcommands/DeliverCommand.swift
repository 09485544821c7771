internal import Digests
internal import EventSourcing
internal import FastJSON
internal import MailFiles
internal import SwipestreamClient

extension MailMessage {
  /// The `deliver` command's data.
  var deliverData: JSON {
    var members: [JSON.Member] = [
      .init("from", .string(from)), .init("subject", .string(subject)),
      .init("message", .string(preview)), .init("date", date.map { .string($0) } ?? .null),
    ]
    if !to.isEmpty { members.append(.init("to", .array(to.map { .string($0) }))) }
    if !cc.isEmpty { members.append(.init("cc", .array(cc.map { .string($0) }))) }
    if let messageID { members.append(.init("messageID", .string(messageID))) }
    if let inReplyTo { members.append(.init("inReplyTo", .string(inReplyTo))) }
    if !references.isEmpty {
      members.append(.init("references", .array(references.map { .string($0) })))
    }
    members.append(.init("digest", .string(digest)))
    members.append(.init("size", .integer(size)))
    let flags = [
      ("read", isRead), ("flagged", isFlagged), ("answered", isAnswered), ("trashed", isTrashed),
    ]
    for (key, isSet) in flags where isSet { members.append(.init(key, true)) }
    return .object(members)
  }
}

/// The `deliver` command for a mail. Its id is a hash of the whole command, so the same mail in
/// the same state is the same command, and in another state another one.
struct DeliverCommand {
  let id: String
  let content: [UInt8]

  /// - Parameter by: who delivers, kept with the event; no part of what makes the command the same.
  init(_ mail: MailMessage, into stream: StreamID, by: String? = nil) {
    let data = mail.deliverData
    let whole: JSON = [
      "stream": .string(stream.description), "command": "deliver", "data": data,
    ]
    id = "import-" + whole.bytes.withUnsafeBytes { Fingerprint(of: $0) }.description
    content = CommandMessage(id: id, stream: stream, command: "deliver", data: data, by: by).content
  }
}
