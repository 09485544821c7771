internal import EventSourcing
internal import FastJSON

/// Times as text: along the log few seconds differ, so that of most only the fraction is new.
struct ClockText {
  private var second = Int64.min
  /// The text of a time of that second, up to its fraction.
  private var text = [UInt8](repeating: 0, count: Self.count)

  private static let count = 27
  private static let fraction: Int64 = 1_000_000

  @inline(__always)
  mutating func put(_ time: Timestamp, to out: inout TextCursor) {
    var second = time.microseconds / Self.fraction
    var rest = time.microseconds - second * Self.fraction
    if rest < 0 {
      rest += Self.fraction
      second -= 1
    }
    if second != self.second {
      text.withUnsafeMutableBufferPointer { time.write(to: $0) }
      self.second = second
    }
    text.withUnsafeBytes { out.put(UnsafeRawBufferPointer(rebasing: $0[..<20])) }
    out.put(UInt64(rest), digits: 6)
    out.put(UInt8(ascii: "Z"))
  }
}
