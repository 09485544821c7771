/// Tells a write that never finished from damage.
///
/// A batch is written over zeros, and its last byte is not zero. A disk writes each 512-byte sector
/// whole or not at all, in any order, and a crash in the middle of a copy leaves a front part. So an
/// unfinished write leaves the batch's end as zeros, or the part of some sector, or no file there;
/// a changed bit does none of that. A byte that appears in reserved room is no part of a batch:
/// neither its front, nor a whole sector of one. And what is unfinished was never durable: no later
/// batch knows of it.
struct TornTail {
  private let window: FileWindow
  /// Where a batch was due that is not good.
  private let start: Int
  /// The position of its first record.
  private let position: UInt64
  private let fault: SegmentScan.Fault?

  init(window: FileWindow, scan: SegmentScan) {
    self.window = window
    start = scan.end
    position = scan.nextPosition
    fault = scan.fault
  }

  /// Whether there is an unfinished write.
  var isThere: Bool {
    get throws(StorageError) {
      guard let fault, !fault.isWhole else { return false }
      if try !lacksPart(length: fault.batchLength) { return false }
      return try !isKnownDurable()
    }
  }

  private func lacksPart(length: Int?) throws(StorageError) -> Bool {
    guard let length else { return try lacksPartOfHeader() }
    let end = start + length
    if end > window.size { return true }
    if try window.isZero(from: end - 1, to: end) { return true }
    return try hasZeroSector(end: end)
  }

  /// Without a header the batch's length is unknown: either a sector that holds a part of the
  /// header was not written, or nothing was written behind it.
  private func lacksPartOfHeader() throws(StorageError) -> Bool {
    let headerEnd = start + BatchHeader.size
    guard try beginsLikeBatch() else { return false }
    if try window.isZero(from: headerEnd, to: window.size) { return true }
    return try hasZeroSector(end: sectorEnd(headerEnd - 1))
  }

  /// Whether what is there can be a batch whose header did not reach the disk whole: its first byte
  /// is there, or its first sector is not, and the first that is there is one of a batch.
  private func beginsLikeBatch() throws(StorageError) -> Bool {
    let first = try window.bytes(start..<start + 1)
    if first.first == BatchHeader.firstMagicByte { return true }
    var sector = start
    while sector < window.size, try window.isZero(from: sector, to: sectorEnd(sector)) {
      sector = sectorEnd(sector)
    }
    if sector == start { return false }
    let bytes = try window.bytes(sector..<sectorEnd(sector))
    let end = (bytes.lastIndex { $0 != 0 } ?? 0) + 1
    if bytes.part(0..<end).suffix(BatchTrailer.ending.count).elementsEqual(
      BatchTrailer.ending.suffix(end))
    {
      return true
    }
    let start = bytes.firstIndex { $0 != 0 } ?? 0
    if BatchHeader.begins(bytes.part(start..<bytes.count)) { return true }
    // Frames have short runs of zeros, and text has none.
    return start < RecordFrame.size && bytes.count - end < RecordFrame.size
  }

  private func hasZeroSector(end: Int) throws(StorageError) -> Bool {
    var offset = start
    while offset < end {
      let next = min(sectorEnd(offset), end)
      if try window.isZero(from: offset, to: next) { return true }
      offset = next
    }
    return false
  }

  private func sectorEnd(_ offset: Int) -> Int {
    (offset / FileFormat.sectorSize + 1) * FileFormat.sectorSize
  }

  /// Whether a batch further on was written when `position` was durable.
  private func isKnownDurable() throws(StorageError) -> Bool {
    try Salvage(window: window).batch(from: start + 1) {
      $0.first > position && $0.durable >= position
    } != nil
  }
}
