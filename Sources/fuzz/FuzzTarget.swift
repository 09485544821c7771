/// One parser, with what must hold of it for every input.
///
/// No target may trap, hang, or allocate more than its input accounts for; libFuzzer sees to that.
/// What else must hold a target says with ``require(_:_:)``.
struct FuzzTarget: Sendable {
  let name: String
  /// Inputs to begin with, made by the code that the parser reads the output of.
  let seeds: @Sendable () -> [[UInt8]]
  let run: @Sendable ([UInt8]) -> Void

  static let all = [
    record, segment, recovery, index, head, snapshot, state, request, events,
  ]
}

/// Ends the run, as a finding, where something does not hold.
func require(_ condition: Bool, _ what: @autoclosure () -> String) {
  if !condition { fatalError("does not hold: \(what())") }
}

/// An input whose first byte tells how to take the rest: as it is, or with its checksums and
/// other redundant fields put right, which no mutation would ever find.
struct ModalInput {
  let isRepaired: Bool
  /// Whether to do what takes a hundred times as long, too.
  let isThorough: Bool
  var bytes: [UInt8]

  /// Nil for the empty input.
  init?(_ input: [UInt8]) {
    guard let mode = input.first else { return nil }
    isRepaired = mode & 1 == 1
    isThorough = mode & 0xF0 == 0xF0
    bytes = Array(input.dropFirst())
  }

  static func raw(_ bytes: [UInt8]) -> [UInt8] { [0] + bytes }
  static func repaired(_ bytes: [UInt8]) -> [UInt8] { [1] + bytes }
}
