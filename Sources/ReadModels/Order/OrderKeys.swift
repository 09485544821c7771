/// Rows that are sorted by an integer key with gaps, as ``OrderKeys`` needs to see them.
protocol OrderedRows {
  /// The present key of a row, which must exist.
  func key(of row: Int) throws(ReadModelError) -> Int

  /// The smallest key above `key` (nil: of all), not counting the row `excluded`.
  func firstKey(above key: Int?, excluding excluded: Int) throws(ReadModelError) -> Int?

  /// How many rows have these keys, counted up to a limit.
  func count(in keys: ClosedRange<Int>, upTo limit: Int) throws(ReadModelError) -> Int

  /// The rows with these keys, in order.
  func rows(in keys: ClosedRange<Int>) throws(ReadModelError) -> [Int]

  func setKey(of row: Int, to key: Int) throws(ReadModelError)
}

/// How rows that move get a sort key without a rewrite of all the others.
///
/// A moved row takes the middle of its new neighbours' gap. Where a gap is used up, the rows in the
/// smallest surrounding window that is sparse enough are spread evenly over it (Bender, Cole,
/// Demaine, Farach-Colton, Zito: "Two simplified algorithms for maintaining order in a list",
/// 2002). A window of 2^b keys counts as sparse with up to 2^(b/2) rows, so that 62 bits have room
/// for two thousand million rows, and a move rewrites a logarithmic number of keys on average.
enum OrderKeys {
  /// Between neighbours where there is free choice: room for twenty halvings.
  static let gap = 1 << 20

  private static let windowBits = stride(from: 4, through: 62, by: 2)

  /// The key that puts the row `moving` directly below `anchor`, or on top of all.
  static func place(
    _ moving: Int, below anchor: Int?, in rows: some OrderedRows
  ) throws(ReadModelError) -> Int {
    guard let anchor else {
      let top = try rows.firstKey(above: nil, excluding: moving)
      return try top.map { top throws(ReadModelError) in try above(top) } ?? 0
    }
    while true {
      let upper = try rows.key(of: anchor)
      guard let lower = try rows.firstKey(above: upper, excluding: moving) else {
        return try below(upper)
      }
      // Keys of both signs may lie further apart than an integer reaches.
      let (distance, isFar) = lower.subtractingReportingOverflow(upper)
      if isFar || distance >= 2 {
        return upper + (isFar ? gap : distance / 2)
      }
      try spread(around: upper, in: rows)
    }
  }

  /// A key on top of the one that is the smallest.
  static func above(_ top: Int) throws(ReadModelError) -> Int {
    let (key, isOver) = top.subtractingReportingOverflow(gap)
    guard !isOver else { throw .outOfRange("no order key is left at the top") }
    return key
  }

  private static func below(_ bottom: Int) throws(ReadModelError) -> Int {
    let (key, isOver) = bottom.addingReportingOverflow(gap)
    guard !isOver else { throw .outOfRange("no order key is left at the bottom") }
    return key
  }

  private static func spread(around key: Int, in rows: some OrderedRows) throws(ReadModelError) {
    for bits in windowBits {
      let size = 1 << bits
      let low = key & ~(size - 1)
      let window = low...(low + (size - 1))
      let room = 1 << (bits / 2)
      guard try rows.count(in: window, upTo: room + 1) <= room else { continue }
      let members = try rows.rows(in: window)
      let step = size / members.count
      for (index, row) in members.enumerated() {
        try rows.setKey(of: row, to: low + step / 2 + index * step)
      }
      return
    }
    throw .outOfRange("no order key is left")
  }
}
