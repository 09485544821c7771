import MailFiles
import Testing

@testable import MailSync

@Suite("Sync plan")
struct SyncPlanTests {
  /// All that the synced flags can be.
  static let all = (UInt8(0)..<16).map { MailFlags(rawValue: $0) }
    .filter { MailFlags.synced.isSuperset(of: $0) }

  private static func key(_ name: String) throws -> MaildirKey {
    try #require(MaildirKey(name))
  }

  /// Every state that one file can be in: each flag comes out as the rule says, and once that is
  /// done nothing is left to do.
  @Test func everyStateOfOneFile() throws {
    let key = try Self.key("1.host")
    for agreed in Self.all {
      for disk in Self.all {
        for service in Self.all {
          let plan = SyncPlan(
            [key: SyncedFile(mail: 1, agreed: agreed)], disk: { _ in disk },
            service: { _ in service })
          var (newDisk, newService) = (disk, service)
          for rename in plan.renames { newDisk = rename.applied(to: newDisk) }
          for command in plan.commands { apply(command, &newService) }
          #expect(newDisk == newService)
          #expect(newService == merged(agreed, disk, service), "\(agreed) \(disk) \(service)")
          #expect(plan.renames.count <= 1)
          let isSettled = disk == service
          #expect(plan.isEmpty == isSettled)
        }
      }
    }
  }

  /// The rule, written down flag by flag.
  private func merged(_ agreed: MailFlags, _ disk: MailFlags, _ service: MailFlags) -> MailFlags {
    var result: MailFlags = []
    for flag in [MailFlags.read, .flagged, .trashed] {
      let (was, here, there) = (
        agreed.contains(flag), disk.contains(flag), service.contains(flag)
      )
      if there == was ? here : there { result.insert(flag) }
    }
    return result
  }

  @Test func foreignFlagsAreLeftAlone() throws {
    let plan = SyncPlan(
      [try Self.key("1.host"): SyncedFile(mail: 1, agreed: [.answered])],
      disk: { _ in [.answered] }, service: { _ in [] })
    #expect(plan.isEmpty)
  }

  @Test func purgedMailsAndMissingFilesAreLeftAlone() throws {
    let files = [
      try Self.key("1"): SyncedFile(mail: 1, agreed: []),
      try Self.key("2"): SyncedFile(mail: 2, agreed: []),
    ]
    let gone = SyncPlan(files, disk: { _ in nil }, service: { _ in .read })
    #expect(gone.isEmpty)
    let purged = SyncPlan(files, disk: { _ in .read }, service: { _ in nil })
    #expect(purged.isEmpty)
  }

  @Test func aChangeOfOneFileReachesTheMailsOthers() throws {
    let files = [
      try Self.key("1"): SyncedFile(mail: 7, agreed: []),
      try Self.key("2"): SyncedFile(mail: 7, agreed: []),
    ]
    let plan = SyncPlan(
      files, disk: { $0.description == "1" ? .read : [] }, service: { _ in [] })
    #expect(plan.commands.map(\.command) == [.markRead])
    #expect(plan.commands.map(\.mail) == [7])
    #expect(plan.renames.map(\.file.description) == ["2"])
  }

  @Test func commandsAreInOrder() throws {
    var files: [MaildirKey: SyncedFile] = [:]
    for mail in 1...9 { files[try Self.key("\(mail)")] = SyncedFile(mail: mail, agreed: []) }
    let plan = SyncPlan(files, disk: { _ in .synced }, service: { _ in [] })
    #expect(plan.commands.count == 27)
    #expect(plan.commands.map(\.mail) == plan.commands.map(\.mail).sorted())
  }
}

func apply(_ command: SyncPlan.Command, _ flags: inout MailFlags) {
  if command.command.isSetting {
    flags.insert(command.command.flag)
  } else {
    flags.remove(command.command.flag)
  }
}
