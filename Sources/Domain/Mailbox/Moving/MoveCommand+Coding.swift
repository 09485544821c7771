internal import EventSourcing
internal import FastJSON

/// The commands of moving as they are on the wire.
extension MailboxCommand {
  static func readMoving(
    _ name: JSONText, _ fields: Fields
  ) throws(FieldError) -> MailboxCommand? {
    switch name {
    case "move":
      try fields.allowOnly(.mailsToMove)
      return .move(try Targets(fields, .mail), to: try fields.mailbox("to"))
    case "show-leaving":
      try fields.allowOnly(.mails)
      return .showLeaving(try Targets(fields, .mail))
    case "arrive":
      try fields.allowOnly(.arrival)
      return .arrive(try MailArrival(fields))
    case "complete-move":
      try fields.allowOnly(.completedMove)
      return .completeMove(
        try fields.id("mail"), to: try fields.mailbox("to"), as: try fields.id("as"))
    case "fail-move":
      try fields.allowOnly(.failedMove)
      return .failMove(
        try fields.id("mail"), to: try fields.mailbox("to"), reason: try fields.string("reason"))
    default: return nil
    }
  }

  /// Writes the members of an object that was begun.
  func writeMoving(to writer: inout JSONWriter) {
    switch self {
    case .move(let targets, let target):
      targets.write(to: &writer, .mail)
      writer.member("to", target.description)
    case .showLeaving(let targets): targets.write(to: &writer, .mail)
    case .arrive(let arrival): arrival.writeMembers(to: &writer)
    case .completeMove(let mail, let target, let there):
      writer.member("mail", mail)
      writer.member("to", target.description)
      writer.member("as", there)
    case .failMove(let mail, let target, let reason):
      writer.member("mail", mail)
      writer.member("to", target.description)
      writer.member("reason", reason)
    default: break
    }
  }
}
