public import EventSourcing

/// Purges mails that have been in the trash for long enough, those of one mailbox by one command.
///
/// The command expects the revision that the agenda has seen: a mail that was restored and trashed
/// again since begins anew, so the agenda is looked at again.
public struct ExpireStep: ProcessStep {
  public let kind = WorkKind.expire

  public init() {}

  public func perform(
    _ works: [DueWork], sendingTo sink: any CommandSink
  ) async -> [ServiceError?] {
    let groups = Dictionary(grouping: works.indices, by: { works[$0].stream })
      .values.sorted { $0[0] < $1[0] }
    let answers = await sink.carryOut(
      groups.compactMap { group in Self.command(for: group.map { works[$0] }) })
    var errors = [ServiceError?](repeating: nil, count: works.count)
    for (group, answer) in zip(groups, answers) {
      for index in group { errors[index] = answer.refusal }
    }
    return errors
  }

  /// - Parameter works: of one mailbox.
  private static func command(for works: [DueWork]) -> ServiceCommand? {
    guard let targets = Targets(set: works.map { MailID($0.subject) }), let first = works.first,
      let last = works.last
    else { return nil }
    let command = MailboxCommand.expire(targets)
    return ServiceCommand(
      id: .ofService("expire-\(first.cause)", last.cause), stream: first.stream,
      name: command.name, data: MoveCommands.data(of: command), expected: first.revision,
      cause: last.cause)
  }
}
