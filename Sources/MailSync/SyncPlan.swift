public import MailFiles

/// What brings a Maildir's files and a mailbox to the same flags.
///
/// Flag by flag, what changed on one side only since both last agreed is carried to the other; where
/// both changed, the service wins. (A flag has but two states, so two changes of an agreed flag are
/// the same one. The service's winning shows where there is no agreement to go by: a file that is
/// seen for the first time counts as unchanged.) Several files may be one mail; a change of any is
/// one of the mail.
///
/// It is a pure function of what both sides were seen to be. `SyncState` keeps what it is to know
/// next time.
public struct SyncPlan: Sendable, Equatable {
  public struct Command: Sendable, Hashable {
    public let mail: Int
    public let command: FlagCommand
  }

  public struct Rename: Sendable, Equatable {
    public let file: MaildirKey
    public let set: MailFlags
    public let clear: MailFlags

    public func applied(to flags: MailFlags) -> MailFlags {
      flags.subtracting(clear).union(set)
    }
  }

  /// By mail.
  public private(set) var commands: [Command] = []
  /// By file.
  public private(set) var renames: [Rename] = []

  public var isEmpty: Bool { commands.isEmpty && renames.isEmpty }

  /// - Parameters:
  ///   - disk: a file's flags, nil where it is gone.
  ///   - service: a mail's flags, nil where it is purged. Such a mail's files are left as they are.
  public init(
    _ files: [MaildirKey: SyncedFile], disk: (MaildirKey) -> MailFlags?,
    service: (Int) -> MailFlags?
  ) {
    // The mails that something is to be done about, with what the mailbox must change of them.
    var carried: [Int: MailFlags] = [:]
    for (key, file) in files {
      guard let disk = disk(key)?.intersection(.synced),
        let service = service(file.mail)?.intersection(.synced), disk != service
      else { continue }
      let changedOnDisk = disk.symmetricDifference(file.agreed)
      let changedThere = service.symmetricDifference(file.agreed)
      carried[file.mail, default: []].formUnion(changedOnDisk.subtracting(changedThere))
    }
    guard !carried.isEmpty else { return }
    for (mail, flags) in carried { addCommands(mail, service(mail) ?? [], changing: flags) }
    for (key, file) in files {
      guard let carried = carried[file.mail], let disk = disk(key), let service = service(file.mail)
      else { continue }
      addRename(key, disk, to: service.symmetricDifference(carried))
    }
    commands.sort { ($0.mail, $0.command.rawValue) < ($1.mail, $1.command.rawValue) }
    renames.sort { $0.file < $1.file }
  }

  private mutating func addCommands(
    _ mail: Int, _ service: MailFlags, changing flags: MailFlags
  ) {
    for command in FlagCommand.allCases
    where flags.contains(command.flag) && service.contains(command.flag) != command.isSetting {
      commands.append(Command(mail: mail, command: command))
    }
  }

  private mutating func addRename(_ file: MaildirKey, _ disk: MailFlags, to target: MailFlags) {
    let disk = disk.intersection(.synced)
    let target = target.intersection(.synced)
    guard disk != target else { return }
    renames.append(
      Rename(file: file, set: target.subtracting(disk), clear: disk.subtracting(target)))
  }
}
