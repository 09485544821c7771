internal import Digests
internal import EventSourcing

@testable import EventLog

extension FuzzTarget {
  /// The head mark beside a sound log.
  static let head = FuzzTarget(name: "head", seeds: headSeeds) { input in
    guard var input = ModalInput(input) else { return }
    if input.isRepaired, input.bytes.count >= HeadMark.size {
      input.bytes.withUnsafeMutableBytes { bytes in
        let covered = UnsafeRawBufferPointer(bytes)
        bytes.put(CRC32C.checksum(covered.part(0..<HeadMark.size - 4)), at: HeadMark.size - 4)
      }
    }
    if let mark = input.bytes.withRawBytes({ HeadMark($0) }) {
      require(input.bytes.starts(with: mark.encoded()), "a mark is written as it is read")
    }
    var files = Index.files
    files[Log.root + "/head"] = input.bytes
    // Refused where the mark says that the end is lost, and else as good as without one.
    guard let log = ColdLog(MemoryStorage(files)) else { return }
    require(Int(log.head) == Index.events.count, "a mark changes no head")
  }

  private static func headSeeds() -> [[UInt8]] {
    guard let mark = Index.files[Log.root + "/head"] else { return [] }
    return [ModalInput.raw(mark), ModalInput.repaired(mark)]
  }
}
