public import EventSourcing

extension WorkKind {
  /// A snoozed mail's time has come.
  public static let wake = WorkKind(rawValue: "wake")
  /// A mail has been in the trash for as long as its mailbox keeps it there.
  public static let expire = WorkKind(rawValue: "expire")
  /// A mail is to go to another mailbox.
  public static let move = WorkKind(rawValue: "move")
}

/// Wakes snoozed mails.
public struct WakeStep: TimerStep {
  public let kind = WorkKind.wake

  public init() {}

  public func command(for work: DueWork) -> ServiceCommand {
    let command = MailboxCommand.wake(MailID(work.subject), until: work.due)
    return ServiceCommand(
      id: .ofService("wake", work.cause), stream: work.stream, name: command.name,
      data: MoveCommands.data(of: command), cause: work.cause)
  }
}
