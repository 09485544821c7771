/// What happened in simulated histories.
public struct SimulationTotals: Sendable, Equatable {
  public var seeds = 0
  /// Batches that were answered as durable, empty ones not counted, on disks that do not lie.
  public var acknowledged = 0
  /// Those of them that the log had at the end of their history.
  public var found = 0
  /// Batches that were refused, none of which the log had.
  public var refused = 0
  /// Batches without an answer when the machine stopped: the log had them whole, or not at all.
  public var inDoubtKept = 0
  public var inDoubtGone = 0
  public var powerCuts = 0
  public var kills = 0
  /// Times that the machine stopped while the log was being opened.
  public var stopsInRecovery = 0
  public var faults = 0
  public var fullDisks = 0
  public var flips = 0
  /// Flipped bits that an open or a read named; the others were in room that nothing is kept in, in
  /// an index, or in a part of a sealed segment that no read needs.
  public var flipsNamed = 0
  /// Batches that disks which lie about what they wrote answered as durable.
  public var onLyingDisks = 0
  /// Of disks that lie about what they wrote: starts that were refused or reads that failed, and
  /// logs that had lost their end.
  public var liesNamed = 0
  public var liesUnnoticed = 0
  public var segments = 0

  public init() {}

  public static func += (totals: inout SimulationTotals, other: SimulationTotals) {
    totals.seeds += other.seeds
    totals.acknowledged += other.acknowledged
    totals.found += other.found
    totals.refused += other.refused
    totals.inDoubtKept += other.inDoubtKept
    totals.inDoubtGone += other.inDoubtGone
    totals.powerCuts += other.powerCuts
    totals.kills += other.kills
    totals.stopsInRecovery += other.stopsInRecovery
    totals.faults += other.faults
    totals.fullDisks += other.fullDisks
    totals.flips += other.flips
    totals.flipsNamed += other.flipsNamed
    totals.onLyingDisks += other.onLyingDisks
    totals.liesNamed += other.liesNamed
    totals.liesUnnoticed += other.liesUnnoticed
    totals.segments += other.segments
  }
}

/// A promise that a simulated history broke.
public struct SimulationFailure: Error, Sendable, CustomStringConvertible {
  public enum Kind: Sendable {
    /// Something acknowledged is gone, or has other bytes.
    case lost
    /// A part of a batch is there without the rest.
    case halfVisible
    case other
  }

  public let seed: UInt64
  public let kind: Kind
  public let reason: String
  /// The history's last steps.
  public let steps: [String]

  public var description: String {
    "seed \(seed): \(reason)\nlast steps:\n" + steps.map { "  " + $0 }.joined(separator: "\n")
  }
}
