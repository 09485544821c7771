internal import ActorRuntime
internal import Digests
internal import EventSourcing
internal import FastJSON
internal import MailFiles
internal import MailSync
internal import SwipestreamClient

/// The commands of a pass.
extension Syncer {
  private static let author = "sync"
  /// Commands that are under way at once.
  private static let window = 200
  /// Refusals that have nothing to do with the command.
  private static let passing: Set<ErrorCode> = [.readOnly, .overloaded, .unavailable, .timeout]

  /// Delivers the files that are no known mails yet.
  ///
  /// - Returns: the position that the mailbox has then, nil where nothing was delivered.
  func deliverNew(
    _ listing: MaildirListing, _ counts: inout SyncCounts
  ) throws(Failure) -> GlobalPosition? {
    unusable = unusable.filter { listing[$0] != nil }
    let new = listing.entries.values
      .filter { state.files[$0.key] == nil && !unusable.contains($0.key) }
      .sorted(by: MaildirEntry.precedes)
    var last: GlobalPosition?
    for start in stride(from: 0, to: new.count, by: Self.window) where !news.isStopping {
      let mails = new[start..<min(start + Self.window, new.count)].compactMap(read)
      let answers = try sender.send(
        mails.map {
          let command = DeliverCommand($0.mail, into: options.stream, by: Self.author)
          return .init(id: command.id, content: command.content)
        })
      for (mail, answer) in zip(mails, answers) {
        guard let position = take(answer, mail.key, mail.mail, &counts) else { continue }
        last = max(last ?? .start, position)
      }
    }
    return last
  }

  private func read(_ entry: MaildirEntry) -> (key: MaildirKey, mail: MailMessage)? {
    switch watch.folder.read(entry) {
    case .message(let mail, _): return (entry.key, mail)
    case .skipped(let origin, let reason):
      unusable.insert(entry.key)
      Output.complain(TerminalText.clean("skipped: \(origin): \(reason)"))
      return nil
    }
  }

  private func take(
    _ answer: SyncSender.Answer, _ key: MaildirKey, _ mail: MailMessage, _ counts: inout SyncCounts
  ) -> GlobalPosition? {
    switch answer {
    case .abandoned: return nil
    case .refused(let error):
      counts.failures += 1
      if !Self.passing.contains(error.code) { unusable.insert(key) }
      notes.once("deliver \(key)", "\(key) is not delivered: \(error)")
      return nil
    case .done(let receipt):
      guard let number = receipt["outcome"]?["mail"]?.integer else { return nil }
      // The file counts as unchanged: where the mailbox knew the mail, its flags win.
      state.files[key] = SyncedFile(mail: number, agreed: mail.flags)
      if receipt["duplicate"]?.bool != true, receipt["events"]?.integer != 0 {
        counts.delivered += 1
      }
      return receipt.position
    }
  }

  /// Sends a plan's commands.
  ///
  /// - Parameter disk: the files' flags that are agreed on with the commands that are carried out.
  /// - Returns: the position that the mailbox has then, nil where nothing was carried out.
  func send(
    _ commands: [SyncPlan.Command], _ counts: inout SyncCounts,
    disk: (MaildirKey) -> MailFlags?
  ) throws(Failure) -> GlobalPosition? {
    var last: GlobalPosition?
    var done: [SyncPlan.Command] = []
    for start in stride(from: 0, to: commands.count, by: Self.window) where !news.isStopping {
      let batch = commands[start..<min(start + Self.window, commands.count)]
      let answers = try sender.send(batch.map(message))
      for (command, answer) in zip(batch, answers) {
        switch answer {
        case .abandoned: break
        case .done(let receipt):
          ids[command] = nil
          done.append(command)
          last = max(last ?? .start, receipt.position)
        // Purged meanwhile, which its event tells.
        case .refused(let error) where error.code == .notFound: ids[command] = nil
        case .refused(let error):
          counts.failures += 1
          notes.once("mail \(command.mail)", "mail \(command.mail) is not changed: \(error)")
        }
      }
    }
    counts.commands += done.count
    state.agree(on: done, disk: disk)
    return last
  }

  /// The same change of the same mail has the same id until it is carried out, whatever happens in
  /// between; after that it is another change.
  private func message(_ command: SyncPlan.Command) -> SyncSender.Command {
    let id = ids[command] ?? newID(command)
    ids[command] = id
    let message = CommandMessage(
      id: id, stream: options.stream, command: command.command.rawValue,
      data: ["mail": .integer(command.mail)], by: Self.author)
    return .init(id: id, content: message.content)
  }

  private func newID(_ command: SyncPlan.Command) -> String {
    let time = SystemClock().microsecondsSinceEpoch
    let text = "\(options.stream) \(command.command.rawValue) \(command.mail) \(time) "
    return "sync-" + Fingerprint(of: text + client.newID()).description
  }
}

extension MailMessage {
  /// The flags that a mail was read with.
  fileprivate var flags: MailFlags {
    var flags: MailFlags = []
    if isRead { flags.insert(.read) }
    if isFlagged { flags.insert(.flagged) }
    if isTrashed { flags.insert(.trashed) }
    return flags
  }
}

extension JSON {
  /// A receipt's position.
  fileprivate var position: GlobalPosition {
    GlobalPosition(UInt64(max(0, self["position"]?.integer ?? 0)))
  }
}
