internal import EventSourcing
internal import FastJSON

/// The commands of a move, and what their receipts say.
enum MoveCommands {
  static func data(of command: MailboxCommand) -> [UInt8] {
    var writer = JSONWriter()
    command.writeData(to: &writer)
    return writer.bytes
  }

  /// - Parameter works: of one source, at least one.
  static func showLeaving(of works: [DueWork]) -> ServiceCommand {
    guard let targets = Targets(set: works.map { MailID($0.subject) }) else {
      preconditionFailure("there is no move to look at")
    }
    let command = MailboxCommand.showLeaving(targets)
    return ServiceCommand(
      id: .ofService("show-leaving", works[0].cause), stream: works[0].stream, name: command.name,
      data: data(of: command), cause: works[0].cause)
  }

  static func end(_ work: DueWork, _ name: String, _ command: MailboxCommand) -> ServiceCommand {
    ServiceCommand(
      id: .ofService(name, work.cause), stream: work.stream, name: command.name,
      data: data(of: command), cause: work.cause)
  }

  static func leaving(in receipt: CommandReceipt) throws(ServiceError) -> [LeavingMail] {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    var mails: [LeavingMail] = []
    guard let elements = (try? parser.parse(receipt.outcome))?["leaving"]?.elements else {
      throw unreadable(receipt)
    }
    for element in elements {
      guard let mail = try? LeavingMail(Fields(element)) else { throw unreadable(receipt) }
      mails.append(mail)
    }
    return mails
  }

  private static func unreadable(_ receipt: CommandReceipt) -> ServiceError {
    ServiceError(.unavailable, "\(receipt.stream) does not say what is to be moved")
  }

  /// What a mail became at its target.
  static func mail(in receipt: CommandReceipt) -> MailID? {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    return (try? parser.parse(receipt.outcome))?["mail"]?.integer.map { MailID($0) }
  }
}
