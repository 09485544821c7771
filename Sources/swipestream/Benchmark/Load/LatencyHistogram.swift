/// Counts durations in buckets that are 1/64 of their size wide, so that any number of them fits.
struct LatencyHistogram {
  /// Buckets per doubling, as a power of two.
  private static let precisionBits = 6

  private var counts = [UInt64](repeating: 0, count: 64 << precisionBits)
  private var total: UInt64 = 0

  @inline(__always)
  mutating func add(nanoseconds: UInt64) {
    counts[Self.bucket(of: nanoseconds)] += 1
    total += 1
  }

  /// The duration that `share` of all do not exceed, in microseconds; 0 where there are none.
  func microseconds(atShare share: Double) -> Double {
    let wanted = max(1, UInt64((Double(total) * share).rounded(.up)))
    var seen: UInt64 = 0
    for (bucket, count) in counts.enumerated() {
      seen += count
      if seen >= wanted { return Double(Self.middle(of: bucket)) / 1000 }
    }
    return 0
  }

  /// Small values have a bucket each; above, the leading bits choose it.
  @inline(__always)
  private static func bucket(of value: UInt64) -> Int {
    let doublings = max(0, 63 - value.leadingZeroBitCount - precisionBits)
    return (doublings << precisionBits) + Int(value >> UInt64(doublings))
  }

  private static func middle(of bucket: Int) -> UInt64 {
    let doublings = max(0, (bucket >> precisionBits) - 1)
    let lower = UInt64(bucket - (doublings << precisionBits)) << UInt64(doublings)
    return lower + (1 << UInt64(doublings)) / 2
  }
}
