internal import Digests
internal import Domain
internal import EventSourcing
internal import FastJSON

@testable import EventLog

extension FuzzTarget {
  /// A snapshot file.
  static let snapshot = FuzzTarget(name: "snapshot", seeds: snapshotSeeds) { input in
    guard var input = ModalInput(input) else { return }
    if input.isRepaired { Snapshots.repair(&input.bytes) }
    guard let snapshot = try? SnapshotImage.snapshot(input.bytes) else { return }
    require(SnapshotImage.bytes(of: snapshot) == input.bytes, "a snapshot is written as it is read")
  }

  /// An aggregate's state in a snapshot: of a mailbox where the first byte is even, else of a list.
  static let state = FuzzTarget(name: "state", seeds: stateSeeds) { input in
    guard let kind = input.first else { return }
    let bytes = Array(input.dropFirst())
    if kind & 1 == 0 {
      Snapshots.check(Mailbox.self, bytes)
    } else {
      Snapshots.check(ItemList.self, bytes)
    }
  }

  private static func snapshotSeeds() -> [[UInt8]] {
    let files = Snapshots.states(Mailbox.self).compactMap { state -> [UInt8]? in
      guard let stream = try? StreamID("mailbox/a") else { return nil }
      return SnapshotImage.bytes(
        of: Snapshot(
          stream: stream, revision: Revision(1), position: GlobalPosition(1),
          time: Timestamp(microseconds: 1), log: LogID(bytes: [UInt8](repeating: 1, count: 16)),
          version: Mailbox.snapshotVersion, state: state.snapshotBytes))
    }
    return files.map(ModalInput.raw) + files.map(ModalInput.repaired)
  }

  private static func stateSeeds() -> [[UInt8]] {
    Snapshots.states(Mailbox.self).map { [0] + $0.snapshotBytes }
      + Snapshots.states(ItemList.self).map { [1] + $0.snapshotBytes }
  }
}

enum Snapshots {
  /// Puts the checksum and the length of the state right.
  static func repair(_ bytes: inout [UInt8]) {
    guard bytes.count >= SnapshotImage.headerSize else { return }
    bytes.replaceSubrange(0..<8, with: SnapshotImage.magic)
    bytes.withUnsafeMutableBytes { out in
      let all = UnsafeRawBufferPointer(out)
      out.put(SnapshotImage.version, at: 8)
      let nameEnd = SnapshotImage.headerSize + Int(all.number(at: 64, as: UInt8.self))
      out.put(UInt64(max(0, out.count - nameEnd)), at: 56)
      out.put(SnapshotImage.checksum(of: all), at: SnapshotImage.checksumPlace.lowerBound)
    }
  }

  /// Bytes that are a state are its only form, and nothing that comes later breaks it.
  static func check<A: Aggregate>(_: A.Type, _ bytes: [UInt8]) {
    guard let state = try? A(snapshotBytes: bytes) else { return }
    require(state.snapshotBytes == bytes, "a state is written as it is read")
    _ = state.memoryFootprint
    var changed = state
    for event in events(A.Event.self) { changed.apply(event) }
    let again = try? A(snapshotBytes: changed.snapshotBytes)
    require(again?.stateHash == changed.stateHash, "what became of it can be written and read")
    guard let id = CommandID("1") else { return }
    let context = DecisionContext(time: Timestamp(microseconds: 1), command: id)
    for command in commands(A.Command.self) {
      guard let decision = try? state.decide(command, in: context) else { continue }
      var after = state
      for event in decision.events { after.apply(event) }
      require((try? A(snapshotBytes: after.snapshotBytes)) != nil, "what was decided can be kept")
    }
  }

  /// The state after each of a history's events.
  static func states<A: Aggregate>(_: A.Type) -> [A] {
    var states = [A()]
    for event in events(A.Event.self) {
      var next = states[states.count - 1]
      next.apply(event)
      states.append(next)
    }
    return states
  }

  private static func events<Event: EventCodable>(_: Event.Type) -> [Event] {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    return SeedTexts.histories[2].split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      guard let data = try? parser.parse(Array(parts[1].utf8)) else { return nil }
      return try? Event(type: EventType(String(parts[0])), schema: 1, data: data)
    }
  }

  private static func commands<Command: CommandCodable>(_: Command.Type) -> [Command] {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    return SeedTexts.requests.compactMap { text in
      guard let value = try? parser.parse(Array(text.utf8)), let name = value["command"]?.string,
        let data = value["data"]
      else { return nil }
      return try? Command(name: name, data: data)
    }
  }
}
