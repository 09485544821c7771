import Digests
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// States as bytes: equal states give equal bytes, what is read back behaves alike, and hostile bytes
/// are refused or harmless.
struct SnapshotTests {
  static func listCommand(
    items count: Int, _ random: inout SeededRandom
  ) -> (String, JSON) {
    if random.chance(oneIn: 25) {
      let side = MailboxPropertyTests.side([.complete, .delete, .more, .none], &random)
      return (
        "configure-swipe",
        ["section": .integer(.random(in: 1...3, using: &random)), "left-to-right": side]
      )
    }
    if random.chance(oneIn: 4) { return RandomSections.command(items: count, &random) }
    return ListPropertyTests.command(items: count, &random)
  }

  @Test(arguments: SeededRandom.seeds(6))
  func mailboxesComeBackEqual(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var mailbox = Harness<Mailbox>()
    try Self.check(&mailbox, seed, &random) { mailbox, random in
      MailboxPropertyTests.command(mails: mailbox.states.count, &random)
    }
  }

  @Test(arguments: SeededRandom.seeds(6))
  func listsComeBackEqual(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = Harness<ItemList>()
    try list.send("create", ["title": "t", "template": "todo"])
    try Self.check(&list, seed, &random) { list, random in
      Self.listCommand(items: list.states.count - 1, &random)
    }
  }

  /// Runs random commands on a state and on its twin, which now and then goes through bytes.
  static func check<A: Aggregate & Equatable>(
    _ harness: inout Harness<A>, _ seed: UInt64, _ random: inout SeededRandom,
    _ next: (A, inout SeededRandom) -> (String, JSON)
  ) throws where A.Event: Equatable, A.Command: Equatable {
    var twin = harness.state
    for _ in 0..<300 {
      let (name, data) = next(harness.state, &random)
      let decided = decide(twin, name, data)
      let before = harness.events.count
      do {
        let outcome = try harness.send(name, data)
        #expect(decided?.outcome == outcome, "seed \(seed)")
      } catch is ServiceError {
        #expect(decided == nil, "seed \(seed)")
      }
      #expect(decided?.events ?? [] == Array(harness.events[before...]), "seed \(seed)")
      harness.apply(from: before, to: &twin)
      #expect(twin == harness.state && twin.stateHash == harness.state.stateHash, "seed \(seed)")
      guard random.chance(oneIn: 5) else { continue }
      let bytes = twin.snapshotBytes
      twin = try A(snapshotBytes: bytes)
      #expect(twin.snapshotBytes == bytes, "seed \(seed)")
      #expect(twin.memoryFootprint >= bytes.count, "seed \(seed)")
    }
    #expect(harness.replayed.stateHash == harness.state.stateHash, "seed \(seed)")
    #expect(harness.events.count > 50)
  }

  static func decide<A: Aggregate>(
    _ state: A, _ name: String, _ data: JSON
  ) -> (events: [A.Event], outcome: String)? {
    guard let command = try? A.Command(name, data.text),
      let decision = try? state.decide(
        command,
        in: DecisionContext(time: Timestamp(microseconds: 0), command: CommandID("c1")!))
    else { return nil }
    var writer = JSONWriter()
    decision.outcome.write(to: &writer)
    return (decision.events, String(decoding: writer.bytes, as: UTF8.self))
  }

  @Test func thePathToAStateLeavesNoTrace() throws {
    func mailbox(_ commands: [(String, JSON)]) throws -> Mailbox {
      var mailbox = Harness<Mailbox>()
      for number in 1...3 {
        try mailbox.send("deliver", KnownMailTests.mail("\(number)", nil))
      }
      for (name, data) in commands { try mailbox.send(name, data) }
      var state = mailbox.state
      state.journal = UndoJournal()
      // It counts events, whatever they did.
      state.moves = MailMoves()
      return state
    }
    let direct = try mailbox([])
    let detour = try mailbox([
      ("reorder", ["mail": 1, "first": true]), ("reorder", ["mail": 1, "last": true]),
      ("flag", ["mail": 2]), ("unflag", ["mail": 2]), ("trash", ["mail": 3]),
      ("restore", ["mail": 3]),
    ])
    #expect(detour.snapshotBytes == direct.snapshotBytes)
    for (name, data) in [
      ("reorder", ["mail": 1, "first": true]), ("flag", ["mail": 2]), ("trash", ["mail": 3]),
    ] as [(String, JSON)] {
      #expect(try mailbox([(name, data)]).stateHash != direct.stateHash)
    }
    #expect(Mailbox().stateHash != direct.stateHash)
  }

  @Test(arguments: SeededRandom.seeds(10))
  func hostileMailboxBytesAreRefusedOrHarmless(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var mailbox = Harness<Mailbox>()
    for _ in 0..<60 {
      let (name, data) = MailboxPropertyTests.command(
        mails: mailbox.state.states.count, &random)
      _ = mailbox.refusal(name, data)
    }
    Self.attack(mailbox.state, seed, &random) { state, random in
      MailboxPropertyTests.command(mails: state.states.count, &random)
    }
  }

  @Test(arguments: SeededRandom.seeds(10))
  func hostileListBytesAreRefusedOrHarmless(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = Harness<ItemList>()
    try list.send("create", ["title": "t", "template": "todo"])
    for _ in 0..<60 {
      let (name, data) = Self.listCommand(items: list.state.states.count - 1, &random)
      _ = list.refusal(name, data)
    }
    Self.attack(list.state, seed, &random) { state, random in
      Self.listCommand(items: state.states.count - 1, &random)
    }
  }

  static func attack<A: Aggregate & Equatable>(
    _ state: A, _ seed: UInt64, _ random: inout SeededRandom,
    _ next: (A, inout SeededRandom) -> (String, JSON)
  ) {
    let good = state.snapshotBytes
    for _ in 0..<400 {
      let bytes = mutated(good, &random)
      guard var read = try? A(snapshotBytes: bytes) else { continue }
      #expect(read.snapshotBytes == bytes, "seed \(seed): there is one form only")
      for number in 0..<20 {
        let (name, data) = next(read, &random)
        read.begin(EventCause(command: CommandID("d\(number)")!))
        for event in decide(read, name, data)?.events ?? [] { read.apply(event) }
      }
      #expect((try? A(snapshotBytes: read.snapshotBytes)) == read, "seed \(seed)")
    }
    for _ in 0..<200 {
      let noise = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
      if let read = try? A(snapshotBytes: noise) { #expect(read.snapshotBytes == noise) }
    }
  }

  static func mutated(_ good: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = good
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.removeSubrange(place...)
      case 1: bytes.insert(.random(in: .min ... .max, using: &random), at: place)
      case 2: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      // A count that says too much.
      case 3: bytes.replaceSubrange(place...place, with: [0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
      default: bytes[place] = .random(in: 0...4, using: &random)
      }
    }
    return bytes
  }
}

/// The released form: whoever changes it, or what events make of a state, gives it a new number.
struct SnapshotFormTests {
  @Test func mailbox() throws {
    #expect(Mailbox.snapshotVersion == 5)
    var mailbox = Harness<Mailbox>()
    try mailbox.send("deliver", KnownMailTests.mail("a", nil))
    try mailbox.send("deliver", KnownMailTests.mail(nil, "1"))
    try mailbox.send("deliver", KnownMailTests.mail(nil, nil))
    try mailbox.send("flag", ["mail": 1])
    try mailbox.send("trash", ["mail": 2])
    try mailbox.send("purge", ["mail": 2])
    let bytes = mailbox.state.withoutJournal.snapshotBytes
    // It exists; three mails, flagged, purged, untouched; two in order: 3, then 1.
    #expect(bytes.prefix(8) == [1, 3, 2, 8, 0, 2, 6, 3])
    // Each mail is its own thread, one has a subject that others could share; nothing is linked, muted,
    // labelled, or purged by itself.
    let known = bytes.dropLast(10)
    #expect(known.suffix(20).prefix(3) == [0, 0, 0])
    #expect(known.suffix(17).prefix(4) != [0, 0, 0, 0])
    #expect(known.suffix(13) == [UInt8](repeating: 0, count: 13)[...])
    // Of six events the first three delivered mails, one after the other; no mail leaves or came from
    // elsewhere. No command is known that could be taken back, and no mail has swipe settings of its
    // own.
    #expect(bytes.suffix(10) == [6, 3, 2, 2, 2, 0, 0, 0, 0, 0])
    #expect(
      mailbox.state.stateHash.description
        == "f47c2f2ef250d3ba9bee94544d0d74ad78ac9424de2b5c8d67cf508048ca4ef4")
  }

  @Test func list() throws {
    #expect(ItemList.snapshotVersion == 2)
    var list = try Harness(.todo, items: 4)
    try list.send("complete", ["item": 2])
    try list.send("delete", ["item": 3])
    try list.send("purge", ["item": 3])
    try list.send("delete", ["item": 4])
    #expect(
      list.state.withoutJournal.stateHash.description
        == "d081cea223347182994702adb48fead07f7b1987b8b24e82711ff0535410f315")
  }
}
