import MailFiles
import SwipestreamTesting
import Testing

@testable import MailSync

/// A Maildir and a mailbox that people change while passes are under way, and steps of a pass that
/// fail.
private struct Simulation {
  /// Two mails have two files each.
  static let mails = [1: ["a", "b"], 2: ["c"], 3: ["d", "e"], 4: ["f"]]

  var random: SeededRandom
  var disk: [MaildirKey: MailFlags] = [:]
  var service: [Int: MailFlags] = [:]
  var state = SyncState(stream: "mailbox/inbox", log: "log")
  /// What the mailbox did because the sync asked.
  var echoes = 0

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    for (mail, names) in Self.mails {
      service[mail] = []
      for name in names {
        guard let key = MaildirKey(name) else { continue }
        disk[key] = []
        state.files[key] = SyncedFile(mail: mail, agreed: [])
      }
    }
  }

  /// One pass; `between` happens between any two of its steps.
  mutating func pass(failures: Bool, _ between: (inout Simulation) -> Void) {
    let listed = disk
    between(&self)
    let (seen, known) = (listed, service)
    let plan = state.plan(disk: { seen[$0] }, service: { known[$0] })
    var now = listed
    for rename in plan.renames {
      between(&self)
      if failures && random.chance(oneIn: 4) { continue }
      disk[rename.file] = rename.applied(to: disk[rename.file] ?? [])
      now[rename.file] = rename.applied(to: now[rename.file] ?? [])
      state.agree(on: rename)
    }
    var done: [SyncPlan.Command] = []
    for command in plan.commands {
      between(&self)
      if failures && random.chance(oneIn: 4) { continue }
      let before = service[command.mail]
      apply(command, &service[command.mail, default: []])
      if service[command.mail] != before { echoes += 1 }
      done.append(command)
    }
    state.agree(on: done) { now[$0] }
    between(&self)
  }

  var isInStep: Bool {
    state.files.allSatisfy { key, file in
      disk[key] == service[file.mail] && file.agreed == service[file.mail]
    }
  }
}

@Suite("Sync under way")
struct SyncSimulationTests {
  /// In each round people change a flag of a mail on one side only, as often as they like, whatever
  /// the sync does meanwhile. What they did last is what both sides come to.
  @Test(arguments: SeededRandom.seeds(300))
  func whatChangesOnOneSideWins(seed: UInt64) {
    var simulation = Simulation(seed: seed)
    for round in 1...8 {
      var wishes: [Int: MailFlags] = simulation.service
      let sides = Self.sides(&simulation.random)
      for _ in 0..<Int.random(in: 1...4, using: &simulation.random) {
        simulation.pass(failures: true) { Self.meddle(&$0, sides, &wishes) }
      }
      for _ in 0..<3 { simulation.pass(failures: false) { _ in } }
      #expect(simulation.service == wishes, "round \(round)")
      #expect(simulation.isInStep, "round \(round)")
      let echoes = simulation.echoes
      simulation.pass(failures: false) { _ in }
      #expect(simulation.echoes == echoes)
    }
  }

  /// Whatever anybody does on both sides, they come to the same in the end.
  @Test(arguments: SeededRandom.seeds(100))
  func bothSidesComeToTheSame(seed: UInt64) {
    var simulation = Simulation(seed: seed)
    var ignored: [Int: MailFlags] = [:]
    for _ in 1...8 {
      simulation.pass(failures: true) { simulation in
        Self.meddle(&simulation, Self.sides(&simulation.random), &ignored)
      }
    }
    for _ in 0..<3 { simulation.pass(failures: false) { _ in } }
    #expect(simulation.isInStep)
  }

  private struct Place: Hashable {
    let mail: Int
    let flag: UInt8
  }

  private static let flags: [MailFlags] = [.read, .flagged, .trashed]

  /// Where people change which flag: a file, or nil for the mailbox.
  private static func sides(_ random: inout SeededRandom) -> [Place: MaildirKey?] {
    var sides: [Place: MaildirKey?] = [:]
    for (mail, names) in Simulation.mails.sorted(by: { $0.key < $1.key }) {
      for flag in flags {
        let name = random.chance(oneIn: 2) ? nil : names.randomElement(using: &random)
        sides[Place(mail: mail, flag: flag.rawValue)] = .some(name.flatMap { MaildirKey($0) })
      }
    }
    return sides
  }

  private static func meddle(
    _ simulation: inout Simulation, _ sides: [Place: MaildirKey?], _ wishes: inout [Int: MailFlags]
  ) {
    guard simulation.random.chance(oneIn: 2) else { return }
    let mail = Int.random(in: 1...4, using: &simulation.random)
    let flag = flags[Int.random(in: 0...2, using: &simulation.random)]
    guard let side = sides[Place(mail: mail, flag: flag.rawValue)] else { return }
    let isSet: Bool
    if let file = side {
      simulation.disk[file]?.formSymmetricDifference(flag)
      isSet = simulation.disk[file]?.contains(flag) ?? false
    } else {
      simulation.service[mail]?.formSymmetricDifference(flag)
      isSet = simulation.service[mail]?.contains(flag) ?? false
    }
    if isSet { wishes[mail]?.insert(flag) } else { wishes[mail]?.remove(flag) }
  }
}
