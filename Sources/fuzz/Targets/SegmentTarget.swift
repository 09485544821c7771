internal import Digests
internal import EventSourcing

@testable import EventLog

extension FuzzTarget {
  /// A whole segment file: header, batches, records, torn tail, digest.
  ///
  /// A repaired input begins with the bytes 8–95 of the header; the rest of it is made.
  static let segment = FuzzTarget(name: "segment", seeds: segmentSeeds) { input in
    guard let input = ModalInput(input) else { return }
    guard let file = input.isRepaired ? Segments.repaired(input.bytes) : input.bytes else { return }
    guard
      let header = try? file.withRawBytes({ bytes throws(FrameFault) in try SegmentHeader(bytes) })
    else { return }
    require(file.starts(with: header.encoded()) || !input.isRepaired, "a header is written as read")
    Segments.check(file, header)
  }

  private static func segmentSeeds() -> [[UInt8]] {
    let files = [1, 9].flatMap { batches in
      Log.make(batches: batches).contents.filter { $0.key.hasPrefix(Log.directory) }
        .sorted { $0.key < $1.key }.map(\.value)
    }
    return files.map(ModalInput.raw) + files.map { ModalInput.repaired(Segments.compact($0)) }
  }
}

/// Segment files as inputs.
enum Segments {
  private static let fields = 8..<96

  /// What ``repaired(_:)`` makes the file of.
  static func compact(_ file: [UInt8]) -> [UInt8] {
    Array(file[fields]) + file[SegmentHeader.size...]
  }

  /// A file whose checksums are right; nil where there is too little for a header.
  static func repaired(_ input: [UInt8]) -> [UInt8]? {
    guard input.count >= fields.count else { return nil }
    var file = Repair.header(input[..<fields.count]) + input[fields.count...]
    Repair.batches(&file, from: SegmentHeader.size)
    return file
  }

  /// What must hold of a scan, whatever the file.
  static func check(_ file: [UInt8], _ header: SegmentHeader) {
    let window = FileWindow(MemoryFile(file), size: file.count)
    guard let scan = try? SegmentScan(window, header: header) else {
      return require(false, "memory can be read")
    }
    require(scan.end <= max(file.count, SegmentHeader.size), "a scan ends in the file")
    require(scan.nextPosition >= header.first, "positions go up")
    require(scan.nextPosition - header.first == UInt64(scan.live.count), "each record is counted")
    require(scan.lastTime >= header.previousTime, "times never go back")
    checkRecords(file, scan, header)
    let isTorn = try? TornTail(window: window, scan: scan).isThere
    require(isTorn != nil && (scan.fault != nil || isTorn == false), "no tail without a fault")
    if let fault = scan.fault {
      require(fault.offset == scan.end, "the fault is where the good part ends")
      require(fault.positions.lowerBound >= header.first, "the fault is in this segment")
    }
    guard let digest = try? SegmentDigest(window, header: header) else { return }
    require(digest.end >= scan.end, "a hop gets as far as a scan")
    if scan.stop == .fileEnd {
      require(digest.value == scan.hasher.digest(), "both ways to the digest agree")
      require(digest.nextPosition == scan.nextPosition, "both ways to the end agree")
    }
  }

  private static func checkRecords(
    _ file: [UInt8], _ scan: SegmentScan, _ header: SegmentHeader
  ) {
    var decoder = RecordDecoder()
    var previous = Int64.min
    file.withRawBytes { bytes in
      for (index, offset) in scan.live.offsets.enumerated() {
        let position = header.first + UInt64(index)
        guard
          let event = try? decoder.event(
            in: file, bytes: bytes, at: Int(offset), end: scan.end, position: position)
        else { return require(false, "what was scanned can be read") }
        require(event.time.microseconds >= previous, "times never go back")
        require(event.revision.rawValue > 0, "revisions are counted from 1")
        previous = event.time.microseconds
      }
    }
    let postings = scan.live.streams.reduce(0) { $0 + $1.postings.ordinals.count }
    require(postings == scan.live.count, "each record is of one stream")
  }
}
