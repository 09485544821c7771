import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

/// What was read on a water meter: gallons at first, then an amount with its unit, now litres.
struct Meter: Aggregate {
  struct Event: EventCodable {
    let litres: Int

    var type: EventType { "meter.read" }
    var schema: UInt16 { 3 }

    init(litres: Int) { self.litres = litres }
    init(type: EventType, schema: UInt16, data: JSONValue) throws(EventCodingError) {
      guard schema == 3 else { throw EventCodingError(type: type, schema: schema, known: 3) }
      guard let litres = data["litres"]?.integer else {
        throw EventCodingError(type: type, schema: schema, .data("'litres' must be an integer"))
      }
      self.init(litres: litres)
    }

    func writeData(to writer: inout JSONWriter) {
      JSON.object([.init("litres", .integer(litres))]).write(to: &writer)
    }
  }

  static let category = StreamCategory.list
  static let present: [EventType: UInt16] = ["meter.read": 3]
  static let steps = [
    Upcaster("meter.read", from: 2) { data in
      let factor = data["unit"] == "gallon" ? 4 : 1
      return data.removing("unit").renaming("amount", to: "litres")
        .setting("litres", to: .integer((data["amount"]?.integer ?? 0) * factor))
    },
    Upcaster(renaming: "meter.looked-at", from: 1, to: "meter.read", schema: 2) {
      $0.setting("unit", to: "litre")
    },
    Upcaster("meter.read", from: 1) {
      $0.renaming("gallons", to: "amount").setting("unit", to: "gallon")
    },
  ]

  private(set) var litres = 0

  func decide(
    _ command: Counter.Command, in context: DecisionContext
  ) throws(ServiceError) -> Decision<Event, Counter.Outcome> {
    guard case .add(let count) = command else {
      return Decision([], outcome: Counter.Outcome(value: litres))
    }
    return Decision([Event(litres: count)], outcome: Counter.Outcome(value: litres + count))
  }

  mutating func apply(_ event: Event) { litres += event.litres }

  static let snapshotVersion: UInt32 = 1
  var memoryFootprint: Int { 0 }

  func writeSnapshot(to writer: inout SnapshotWriter) { writer.signed(Int64(litres)) }

  init() {}
  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    litres = Int(try reader.signed())
  }
}

@Suite(.timeLimit(.minutes(1)))
struct UpcasterTests {
  private func upcasters() throws -> Upcasters { try Upcasters(Meter.steps, to: Meter.present) }

  /// Events as several versions of a program stored them.
  private func store(_ stored: [(EventType, UInt16, String)]) -> InMemoryEventStore {
    let store = InMemoryEventStore()
    var batch = AppendBatch(time: Timestamp(microseconds: 1))
    if let stream = try? StreamID("list/a") { batch.begin(stream, expecting: .any) }
    for (type, schema, data) in stored {
      batch.add(type, schema: schema, data: { $0.raw(data.utf8) }, meta: { $0.raw("{ }".utf8) })
    }
    store.append(batch) { _ in }
    return store
  }

  private func forms(_ events: [RecordedEvent]) -> [String] {
    events.map { "\($0.type) \($0.schema) \(String(decoding: $0.data, as: UTF8.self))" }
  }

  private static let history: [(EventType, UInt16, String)] = [
    ("meter.read", 1, #"{"gallons":2,"by":"née \u00fc"}"#),
    ("meter.read", 2, #"{"amount":3,"unit":"litre"}"#),
    ("meter.read", 3, #"{ "litres" : 5 }"#),
    ("meter.looked-at", 1, #"{"amount":7}"#),
    ("other", 1, #"{ "x":1.50 }"#),
    ("meter.read", 4, #"{ "barrels" : 1 }"#),
  ]
  private static let present = [
    #"meter.read 3 {"litres":8,"by":"née ü"}"#, #"meter.read 3 {"litres":3}"#,
    #"meter.read 3 { "litres" : 5 }"#, #"meter.read 3 {"litres":7}"#, #"other 1 { "x":1.50 }"#,
    #"meter.read 4 { "barrels" : 1 }"#,
  ]

  @Test func everyWayToReadGivesThePresentForm() throws {
    let stored = store(Self.history)
    let events = UpcastingEventStore(stored, try upcasters())
    let all = ReadLimit(events: 100)
    #expect(forms(try events.read(after: .start, limit: all)) == Self.present)
    #expect(
      forms(try events.read(before: GlobalPosition(.max), limit: all)) == Self.present.reversed())
    #expect(
      forms(try events.read(try StreamID("list/a"), after: Revision(1), limit: all))
        == Array(Self.present[1...]))
    // All but the form stays, and so does what the engine holds.
    for (new, old) in zip(
      try events.read(after: .start, limit: all), try stored.read(after: .start, limit: all))
    {
      #expect(new.position == old.position && new.revision == old.revision)
      #expect(new.stream == old.stream && new.time == old.time && new.meta == old.meta)
    }
    #expect(
      forms(try stored.read(after: .start, limit: all))
        == Self.history.map { "\($0) \($1) \($2)" })
  }

  @Test func whatIsVisitedIsWhatIsRead() throws {
    let stream = try StreamID("list/a")
    let all = ReadLimit(events: 100)
    let stored = store(Self.history)
    for upcasters in [try upcasters(), try Upcasters([], to: ["meter.read": 1])] {
      let events = UpcastingEventStore(stored, upcasters)
      var shown: [RecordedEvent] = []
      try events.visit(after: GlobalPosition(1), limit: all) { event in
        shown.append(event.recorded)
        return true
      }
      #expect(shown == (try events.read(after: GlobalPosition(1), limit: all)))
      shown = []
      try events.visit(stream, after: .none, limit: all) { event in
        shown.append(event.recorded)
        return shown.count < 4
      }
      #expect(shown == (try events.read(stream, after: .none, limit: ReadLimit(events: 4))))
    }
  }

  @Test func leavesAloneWhatIsNoJSON() throws {
    let stored = store([("meter.read", 1, #"{"gallons":"#), ("meter.read", 2, "7")])
    let events = UpcastingEventStore(stored, try upcasters())
    #expect(
      forms(try events.read(after: .start, limit: ReadLimit(events: 9)))
        == [#"meter.read 1 {"gallons":"#, "meter.read 3 7"])
  }

  @Test func noUpcastersChangeNothing() throws {
    let none = try Upcasters([], to: ["meter.read": 1])
    let stored = store(Self.history)
    let all = ReadLimit(events: 100)
    #expect(none.isEmpty)
    #expect(
      try UpcastingEventStore(stored, none).read(after: .start, limit: all)
        == stored.read(after: .start, limit: all))
  }

  // MARK: Aggregates

  @Test func anAggregateIsLoadedFromOldSchemas() async throws {
    let stored = store(Array(Self.history[..<4]))
    let shard = Shard(UpcastingEventStore(stored, try upcasters())) { $0.register(Meter.self) }
    let tokens = try await shard.submit([("1", "add", #"{"count":1}"#)])
    let answer = try await shard.answers(to: tokens)[0].get()
    #expect(answer.revision == Revision(5))
    #expect(answer.outcome == Array(#"{"value":24}"#.utf8))
    let written = try stored.read(after: GlobalPosition(4), limit: ReadLimit(events: 9))
    #expect(forms(written) == [#"meter.read 3 {"litres":1}"#])
    shard.stop()
  }

  @Test func anEventOfANewerVersionMakesItsAggregateUnavailable() async throws {
    let stored = store([Self.history[2], Self.history[5]])
    let shard = Shard(UpcastingEventStore(stored, try upcasters())) { $0.register(Meter.self) }
    let tokens = try await shard.submit([("1", "add", #"{"count":1}"#)])
    let answer = await shard.answers(to: tokens)[0]
    #expect(
      answer
        == .failure(
          ServiceError(
            .unavailable,
            "list/a at position 2: cannot read meter.read of schema 4: a newer version of the "
              + "service wrote it, this one knows schema 3; run the newer one")))
    let others = try await shard.submit([("1", "add", #"{"count":1}"#)], to: "list/b")
    #expect(try await shard.answers(to: others)[0].get().revision == Revision(1))
    shard.stop()
  }

  // MARK: Mistakes in a program

  private static let same: @Sendable (JSON) -> JSON = { $0 }
  static let faults: [(steps: [Upcaster], present: [EventType: UInt16], fault: UpcasterFault)] = [
    ([], ["a": 2], .missing(.init("a", 1))),
    ([Upcaster("a", from: 2, same)], ["a": 3], .missing(.init("a", 1))),
    ([Upcaster("a", from: 1, same)], ["a": 3], .missing(.init("a", 2))),
    (
      [Upcaster("a", from: 1, same), Upcaster("a", from: 1, same)], ["a": 2], .twice(.init("a", 1))
    ),
    ([Upcaster("a", from: 2, same)], ["a": 2], .pointless(.init("a", 2))),
    ([Upcaster("a", from: 3, same)], ["a": 2], .pointless(.init("a", 3))),
    ([Upcaster("a", from: 0, same)], ["a": 1], .pointless(.init("a", 0))),
    ([Upcaster("old", from: .max, same)], ["a": 1], .pointless(.init("old", .max))),
    ([Upcaster("gone", from: 1, same)], ["a": 1], .missing(.init("gone", 2))),
    (
      [Upcaster(renaming: "old", from: 2, to: "a", schema: 1)], ["a": 1], .missing(.init("old", 1))
    ),
    ([Upcaster(renaming: "old", from: 1, to: "a", schema: 3)], ["a": 1], .missing(.init("a", 3))),
    (
      [
        Upcaster(renaming: "x", from: 1, to: "y", schema: 1),
        Upcaster(renaming: "y", from: 1, to: "x", schema: 1),
      ], ["a": 1], .endless(.init("x", 1))
    ),
  ]

  @Test(arguments: faults.indices) func aWrongSetIsRefused(_ index: Int) {
    let (steps, present, fault) = Self.faults[index]
    #expect(throws: fault) { try Upcasters(steps, to: present) }
  }
}
