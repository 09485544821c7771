/// One section of an index, whole and checked.
final class IndexSection: Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  @inline(__always)
  func number<Number: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Number.Type = Number.self
  ) -> Number {
    bytes.withUnsafeBytes { $0.number(at: offset) }
  }

  /// Whether all that the section says is about records that the segment has. What passes may still
  /// be wrong, and the records show it; what does not would lead out of the segment.
  func isPossible(as section: IndexImage.Section, of seal: Segment.Seal) -> Bool {
    switch section {
    case .offsets: return areOffsets(seal)
    case .streams: return areStreams(seal)
    case .postings:
      return bytes.count == seal.count * 4
        && stride(from: 0, to: bytes.count, by: 4).allSatisfy {
          number(at: $0, as: UInt32.self) < seal.count
        }
    case .commands:
      let size = IndexImage.commandSize
      return bytes.count % size == 0
        && stride(from: 0, to: bytes.count, by: size).allSatisfy {
          number(at: $0 + 8, as: UInt32.self) < seal.count
        }
    }
  }

  private func areOffsets(_ seal: Segment.Seal) -> Bool {
    guard bytes.count == seal.count * 4 else { return false }
    var previous = UInt32(SegmentHeader.size)
    for index in 0..<seal.count {
      let offset: UInt32 = number(at: index * 4)
      guard offset > previous, offset < seal.length else { return false }
      previous = offset
    }
    return true
  }

  private func areStreams(_ seal: Segment.Seal) -> Bool {
    let size = IndexImage.streamSize
    guard bytes.count % size == 0 else { return false }
    return stride(from: 0, to: bytes.count, by: size).allSatisfy { entry in
      let last: UInt64 = number(at: entry + 8)
      let start = Int(number(at: entry + 16, as: UInt32.self))
      let count = Int(number(at: entry + 20, as: UInt32.self))
      return count > 0 && start + count <= seal.count && last >= count
        && last <= FileFormat.greatestPosition
    }
  }
}
