/// Keeps the aggregates in memory within their limits: lets idle ones go, longest unused first.
struct Eviction {
  /// Where a search found too little to let go of, the next one waits: it looks at every aggregate,
  /// and so costs each turn no more than a look at this many.
  private static let looksPerTurn = 16

  private let countLimit: Int
  private let byteLimit: Int
  /// What all aggregates take, as far as they can tell.
  private(set) var bytes = 0
  private var nextSearch: UInt64 = 0

  init(_ limits: AggregateRegistry.Limits) {
    countLimit = limits.residentAggregates
    byteLimit = limits.residentBytes
  }

  /// Counts what an aggregate takes now.
  mutating func count(_ slot: AggregateSlot) {
    let footprint = slot.owner.memoryFootprint
    bytes += footprint - slot.countedBytes
    slot.countedBytes = footprint
  }

  private func isWithinLimits(_ count: Int) -> Bool { count <= countLimit && bytes <= byteLimit }

  /// Lets go of idle aggregates in bulk, an eighth below the limits, so that the search is paid for
  /// rarely.
  mutating func run(on slots: inout SlotTable, turn: UInt64) {
    guard !isWithinLimits(slots.count), turn >= nextSearch else { return }
    let idle = slots.all.filter { $0.lastUse < turn - 1 && $0.owner.isIdle }
      .sorted { $0.lastUse < $1.lastUse }
    for slot in idle {
      if slots.count <= countLimit - countLimit / 8, bytes <= byteLimit - byteLimit / 8 { return }
      slot.owner.prepareForEviction()
      bytes -= slot.countedBytes
      slots.remove(slot)
    }
    if !isWithinLimits(slots.count) {
      nextSearch = turn + UInt64(slots.count / Self.looksPerTurn + 1)
    }
  }
}
