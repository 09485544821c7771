/// Keeps the aggregates in memory within their limits: lets idle ones go, longest unused first.
struct Eviction {
  /// A search looks at every aggregate. Where one found too little to let go of, the next waits until
  /// it is earned: each turn earns so many looks, and what aggregates grow by earns more.
  private static let looksPerTurn = 16
  private static let bytesPerLook = 32

  private let countLimit: Int
  private let byteLimit: Int
  /// What all aggregates take, as far as they can tell.
  private(set) var bytes = 0
  /// Looks to be earned before the next search.
  private var debt = 0

  init(_ limits: AggregateRegistry.Limits) {
    countLimit = limits.residentAggregates
    byteLimit = limits.residentBytes
  }

  /// Counts what an aggregate takes now.
  mutating func count(_ slot: AggregateSlot) {
    let footprint = slot.owner.memoryFootprint
    debt -= max(footprint - slot.countedBytes, 0) / Self.bytesPerLook
    bytes += footprint - slot.countedBytes
    slot.countedBytes = footprint
  }

  private func isWithinLimits(_ count: Int) -> Bool { count <= countLimit && bytes <= byteLimit }

  /// Lets go of idle aggregates in bulk, an eighth below the limits, so that the search is paid for
  /// rarely.
  mutating func run(on slots: inout SlotTable, turn: UInt64) {
    debt = max(debt - Self.looksPerTurn, 0)
    guard !isWithinLimits(slots.count), debt == 0 else { return }
    let looks = slots.count
    let idle = slots.all.filter { $0.lastUse < turn - 1 && $0.owner.isIdle }
      .sorted { $0.lastUse < $1.lastUse }
    for slot in idle {
      if slots.count <= countLimit - countLimit / 8, bytes <= byteLimit - byteLimit / 8 { return }
      slot.owner.prepareForEviction()
      bytes -= slot.countedBytes
      slots.remove(slot)
    }
    debt = looks
  }
}
