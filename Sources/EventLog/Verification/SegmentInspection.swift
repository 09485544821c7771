internal import Digests

/// All that a segment's file holds, good and bad: every byte is read, and behind damage the search
/// goes on for what is good again.
struct SegmentInspection: Sendable, Equatable {
  /// What is known of the segment beforehand.
  struct Subject: Sendable, Equatable {
    let name: String
    let path: String
    let size: Int
    /// Its own, or one made up where that cannot be read.
    let header: SegmentHeader
    /// Whether nothing is to follow it, so that it may end in reserved room or an unfinished write.
    let isNewest: Bool
    /// Its last position as the next segment tells it; nil where nobody does.
    let expectedLast: UInt64?
    /// The log's durable head as it was before the segment was looked at; what is behind it may be
    /// an unfinished write.
    let durableHead: UInt64
  }

  /// A part of the file that can be read, in the order of positions.
  enum Piece: Sendable, Equatable {
    /// Whole batches, one behind the other.
    case batches(Range<Int>, positions: ClosedRange<UInt64>)
    case record(Range<Int>, position: UInt64)
  }

  private(set) var pieces: [Piece] = []
  private(set) var damages: [LogDamage] = []
  /// Where a write begins that never finished.
  private(set) var unfinishedAt: Int?
  private(set) var nextPosition: UInt64
  private(set) var lastTime: Int64
  /// Where the last readable batch ends.
  private(set) var end = SegmentHeader.size
  private(set) var records = 0
  private(set) var erased = 0
  /// Over header and batches; nil where something is wrong with them.
  private(set) var digest: SHA256Digest?

  private let subject: Subject

  /// Reads all of the file that `window` shows.
  init(_ subject: Subject, _ window: FileWindow) throws(StorageError) {
    self.subject = subject
    nextPosition = subject.header.first
    lastTime = subject.header.previousTime
    try read(window)
  }

  /// Of a file that cannot be read at all.
  init(_ subject: Subject, unreadable reason: String) {
    self.subject = subject
    nextPosition = subject.header.first
    lastTime = subject.header.previousTime
    let last = knownLast(from: nextPosition)
    let lost = last.flatMap { $0 >= nextPosition ? nextPosition...$0 : nil }
    report(at: 0, lost, lost: lost, reason)
    nextPosition = (last ?? nextPosition - 1) + 1
  }

  /// Whether nothing is wrong that could be right at a second look.
  var isSettled: Bool { damages.isEmpty && unfinishedAt == nil }

  private mutating func read(_ window: FileWindow) throws(StorageError) {
    var scan = try SegmentScan(window, header: subject.header, depth: .frames)
    var start = SegmentHeader.size
    var first = subject.header.first
    while true {
      if scan.end > start {
        pieces.append(.batches(start..<scan.end, positions: first...scan.nextPosition - 1))
      }
      guard let fault = scan.fault, try !isUnfinished(scan, window) else { break }
      let gap = try cross(fault, in: window, expecting: scan.nextPosition)
      start = gap.end
      first = gap.next
      try scan.resume(at: start, next: first)
    }
    nextPosition = scan.nextPosition
    lastTime = scan.lastTime
    end = scan.end
    records += scan.count
    erased = scan.erased
    checkEnd(isReserved: scan.stop == .reserved)
    if damages.isEmpty { digest = scan.hasher.digest() }
  }

  private mutating func isUnfinished(
    _ scan: SegmentScan, _ window: FileWindow
  ) throws(StorageError) -> Bool {
    guard subject.isNewest, scan.nextPosition > subject.durableHead,
      try TornTail(window: window, scan: scan).isThere
    else { return false }
    unfinishedAt = scan.end
    return true
  }

  private mutating func checkEnd(isReserved: Bool) {
    if subject.isNewest { return checkHead() }
    let missing = subject.expectedLast.flatMap { $0 >= nextPosition ? nextPosition...$0 : nil }
    if isReserved {
      report(at: end, missing, lost: missing, "zeros where the segment should end")
    } else if let missing {
      report(at: end, missing, lost: missing, "the segment ends too early")
    } else if let last = subject.expectedLast, last + 1 < nextPosition {
      report(at: end, last + 1...nextPosition - 1, "the next segment begins at an earlier position")
    }
  }

  private mutating func checkHead() {
    guard nextPosition <= subject.durableHead else { return }
    let missing = nextPosition...subject.durableHead
    damages.append(
      LogDamage(
        file: subject.name, offset: end, positions: missing, lost: missing,
        reason: "the log has lost its end", isLostEnd: true))
  }

  private mutating func report(
    at offset: Int, _ positions: ClosedRange<UInt64>?, lost: ClosedRange<UInt64>? = nil,
    _ reason: String
  ) {
    damages.append(
      LogDamage(
        file: subject.name, offset: offset, positions: positions, lost: lost, reason: reason))
  }
}

extension SegmentInspection {
  /// Names what is wrong at a fault, and keeps what can be read between it and the next good place.
  ///
  /// - Returns: that place, and the position that is due there.
  private mutating func cross(
    _ fault: SegmentScan.Fault, in window: FileWindow, expecting due: UInt64
  ) throws(StorageError) -> (end: Int, next: UInt64) {
    let start = fault.offset
    let header = try BatchHeader(window.bytes(start..<start + BatchHeader.size))
    if let header, header.first == due {
      return try crossBatch(header, fault, in: window)
    }
    // A batch that comes too early in the file is where to go on; one that is stale is skipped.
    let isAhead = header.map { $0.first > due } ?? false
    let next = try Salvage(window: window).batch(from: isAhead ? start : start + 1) {
      $0.first >= due
    }
    let end = next?.offset ?? window.size
    let last = next.map { $0.header.first - 1 } ?? knownLast(from: due)
    if let last, last < due {
      report(at: start, nil, fault.reason)
      return (end, due)
    }
    return (end, try salvage(window, start..<end, due...(last ?? .max), fault))
  }

  /// The last position, where something other than the file tells it.
  private func knownLast(from due: UInt64) -> UInt64? {
    subject.expectedLast ?? (subject.durableHead >= due ? subject.durableHead : nil)
  }

  /// The batch's header is good, so its positions are known.
  private mutating func crossBatch(
    _ header: BatchHeader, _ fault: SegmentScan.Fault, in window: FileWindow
  ) throws(StorageError) -> (end: Int, next: UInt64) {
    let start = fault.offset
    let next = header.positions.upperBound + 1
    let batchEnd = min(start + Int(header.length), window.size)
    if fault.isWhole {
      pieces.append(.batches(start..<batchEnd, positions: header.positions))
      records += Int(header.count)
      report(at: start, header.positions, fault.reason)
      return (batchEnd, next)
    }
    let found = try Salvage(window: window).batch(from: start + BatchHeader.size) {
      $0.first >= next
    }
    // Where bytes are missing or too many, the next batch is not where the length says.
    let isNext = found?.header.first == next
    let end = isNext ? found?.offset ?? batchEnd : min(found?.offset ?? batchEnd, batchEnd)
    let recordsStart = min(start + BatchHeader.size, end)
    let after = try salvage(window, recordsStart..<end, header.positions, fault)
    return (end, end < batchEnd ? found?.header.first ?? after : after)
  }

  /// Keeps the records that can be read in a damaged part of the file, and reports the others.
  ///
  /// - Parameters:
  ///   - bytes: from where the first record would be.
  ///   - positions: of the records that were there, up to `.max` where the last is not known.
  /// - Returns: the position after the last one that is known of.
  private mutating func salvage(
    _ window: FileWindow, _ bytes: Range<Int>, _ positions: ClosedRange<UInt64>,
    _ fault: SegmentScan.Fault
  ) throws(StorageError) -> UInt64 {
    let first = positions.lowerBound
    // More records than fit need not be looked for.
    let most = first + UInt64(bytes.count / RecordFrame.size)
    let found = try Salvage(window: window).records(
      in: bytes, positions: first...min(positions.upperBound, most))
    var due = first
    var offset = bytes.lowerBound
    var isWhole = true
    func lose(_ lost: ClosedRange<UInt64>) {
      report(at: offset, lost, lost: lost, fault.reason)
      isWhole = false
    }
    for record in found {
      if record.position > due { lose(due...record.position - 1) }
      pieces.append(.record(record.bytes, position: record.position))
      due = record.position + 1
      offset = record.bytes.upperBound
    }
    records += found.count
    let last = positions.upperBound == .max ? max(due - 1, first) : positions.upperBound
    if due <= last { lose(due...last) }
    if isWhole { report(at: fault.offset, first...last, fault.reason) }
    return last + 1
  }
}
