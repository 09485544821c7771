/// What is to be done about a damaged log. Nobody but a person decides it.
public enum RepairChoice: String, Sendable, CaseIterable {
  /// The log ends before the damage; everything behind is taken out.
  case cut
  /// All that can be read stays, and lost positions get `log.lost` events.
  case fill
  /// The log has lost its end, and goes on from where it ends now.
  case acceptHead = "accept-head"
}

/// What each choice would come to.
public struct RepairAdvice: Sendable {
  public let report: LogReport
  /// The last position after a cut.
  public let cutHead: UInt64
  /// Events that can be read and would be taken out by a cut.
  public let removedByCut: Int
  /// Positions that cannot be read.
  public let lost: Int
  /// Whether there are few enough of them to be filled.
  public var canFill: Bool { lost <= RepairPlan.fillLimit }
  /// Whether the choice of the present end is one.
  public let canAcceptHead: Bool
}

/// What a repair has done.
public struct RepairOutcome: Sendable {
  public let choice: RepairChoice
  /// The log's last position, the record of the repair included.
  public let head: UInt64
  public let lost: Int
  public let removed: Int
  /// Where what was taken out is kept, under the data directory; nil where nothing was.
  public let kept: String?
}

/// Why a repair did not happen. What was there before is there still.
public enum RepairError: Error, Sendable, Equatable, CustomStringConvertible {
  case log(EventLogError)
  /// There is nothing to repair.
  case sound
  case impossible(reason: String)
  /// There are more lost positions than are filled.
  case tooMuchLost(positions: Int, canAcceptHead: Bool)

  public var description: String {
    switch self {
    case .log(let error): error.description
    case .sound: "the log is not damaged; there is nothing to repair"
    case .impossible(let reason): reason
    case .tooMuchLost(let positions, let canAcceptHead):
      """
      \(positions) positions are lost, and --fill fills no more than \(RepairPlan.fillLimit); \
      put a backup back, or choose --cut\(canAcceptHead ? " or --accept-head" : "")
      """
    }
  }
}

/// What `body` gives, its errors as a repair's.
func mappingRepairErrors<Result>(
  _ body: () throws(StorageError) -> Result
) throws(RepairError) -> Result {
  do throws(StorageError) {
    return try body()
  } catch {
    throw .log(.storage(error))
  }
}
