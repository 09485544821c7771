import FastJSON
import Testing

@testable import EventSourcing

/// What looking for idle aggregates costs where few are.
struct EvictionSearchTests {
  private final class Looks { var count = 0 }

  /// An owner that does nothing but count how often it is asked whether it is idle.
  private final class Owner: StreamOwner {
    private let looks: Looks
    private let isBusy: Bool

    init(_ looks: Looks, isBusy: Bool) {
      self.looks = looks
      self.isBusy = isBusy
    }

    var isIdle: Bool {
      looks.count += 1
      return !isBusy
    }

    var memoryFootprint: Int { 512 }

    func take(_: IncomingCommand, _: inout BatchLine, hasRoom: Bool) -> TakeResult { .noEvents }
    func decideWaiting(_: inout BatchLine, limit: Int, parser: JSONParser) -> TakeResult {
      .noEvents
    }
    func committed(_: UInt64, first: GlobalPosition) {}
    func failed(_: UInt64, _: inout BatchLine) {}
    var liveDeadline: Int? { nil }
    func advanceLive(to _: Int, _: inout BatchLine) {}
    func refuseAfterFailedLoad(_: inout BatchLine) {}
    func isWaiting(_: CommandID) -> Bool { false }
    func prepareForEviction() {}
  }

  @Test("Where nearly all aggregates are in use, each new one costs a few looks, not all")
  func busyAggregates() throws {
    var limits = AggregateRegistry.Limits()
    limits.residentAggregates = 1000
    var eviction = Eviction(limits)
    var slots = SlotTable()
    let looks = Looks()
    func add(_ name: String, isBusy: Bool, turn: UInt64) throws {
      let slot = AggregateSlot(try StreamID("list/\(name)"), Owner(looks, isBusy: isBusy))
      slot.lastUse = turn
      slots.add(slot)
      eviction.count(slot)
    }
    for number in 0..<990 { try add("busy\(number)", isBusy: true, turn: 1) }
    var most = 0
    for turn in 2..<5002 as Range<UInt64> {
      try add("idle\(turn)", isBusy: false, turn: turn)
      eviction.run(on: &slots, turn: turn)
      most = max(most, slots.count)
    }
    #expect(looks.count < 5000 * 40)
    #expect(looks.count > 0)
    // A search is earned by a sixteenth as many turns at the latest.
    #expect(most <= 1000 + 1000 / 16 + 16)
  }
}
