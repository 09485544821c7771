internal import Glibc

/// A small random number generator whose whole sequence hangs on its seed (SplitMix64: Steele,
/// Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Whether something that happens once in `odds` happens now.
  public mutating func chance(oneIn odds: Int) -> Bool {
    Int.random(in: 0..<odds, using: &self) == 0
  }

  /// The seeds for a random test's arguments: 1 to `count`, or the one that `SWIPESTREAM_SEED`
  /// names, to run a failure again.
  public static func seeds(_ count: Int) -> [UInt64] {
    if let text = getenv("SWIPESTREAM_SEED"), let seed = UInt64(String(cString: text)) {
      return [seed]
    }
    return (1...UInt64(count)).map { $0 }
  }
}
