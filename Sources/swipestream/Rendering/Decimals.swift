/// Numbers for people, with a fixed number of digits behind the point.
enum Decimals {
  static func text(_ value: Double, _ digits: Int) -> String {
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int(min(max((value * Double(scale)).rounded(), -1e15), 1e15))
    if digits == 0 { return String(scaled) }
    let fraction = String(abs(scaled) % scale)
    return "\(scaled < 0 ? "-" : "")\(abs(scaled) / scale)."
      + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
