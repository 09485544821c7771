/// One file's bytes: as programs see them, as the disk has them, and what lies between.
///
/// Between two syncs each change is kept in order. A crash lets each sector's change reach the disk
/// or not, on its own; the changes of the length reach it up to some point, since a file system
/// writes those through a journal, in order.
struct SimulatedContent {
  /// What a disk writes whole or not at all.
  static let sectorSize = 512
  /// What a file system gives to a file, and takes back, as one.
  private static let blockSize = 4096

  private enum Change {
    /// A sector's bytes after a write. `isOnDisk`: it was written back already, come what may.
    case sector(Int, [UInt8], isOnDisk: Bool)
    case length(Int)
  }

  /// What a write's sectors become.
  enum Route {
    case asWritten
    /// The disk says that it has them, and has not.
    case nowhere
    /// The disk writes them over other sectors, this many further on.
    case elsewhere(by: Int)
  }

  private(set) var seen: [UInt8] = []
  private(set) var durable: [UInt8] = []
  private var changes: [Change] = []

  var count: Int { seen.count }

  mutating func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, route: Route = .asWritten
  ) {
    if bytes.isEmpty { return }
    let end = offset + bytes.count
    if end > seen.count { setLength(end) }
    Self.copy(bytes, to: offset, of: &seen)
    for sector in offset / Self.sectorSize...(end - 1) / Self.sectorSize {
      let start = sector * Self.sectorSize
      let part = Array(seen[start..<min(start + Self.sectorSize, seen.count)])
      switch route {
      case .asWritten: changes.append(.sector(sector, part, isOnDisk: false))
      case .nowhere: break
      case .elsewhere(let distance):
        changes.append(.sector(sector + distance, part, isOnDisk: false))
      }
    }
  }

  mutating func setLength(_ length: Int) {
    if length == seen.count { return }
    Self.resize(&seen, to: length)
    changes.append(.length(length))
  }

  mutating func sync() {
    durable = settled { _ in true }
    changes = []
  }

  /// A sync that fails: the kernel takes each page for clean from now on, though it may have missed
  /// the disk. Half of the time the page is dropped as well, so that what the disk has is read.
  mutating func failSync(_ random: inout SeededRandom) {
    changes = changes.compactMap { change in
      guard case .sector(let sector, let bytes, _) = change else { return change }
      return random.chance(oneIn: 2) ? .sector(sector, bytes, isOnDisk: true) : nil
    }
    if random.chance(oneIn: 2) {
      let length = seen.count
      seen = settled { _ in true }
      Self.resize(&seen, to: length)
    }
  }

  /// The power fails: what the disk has is all that is left.
  ///
  /// - Parameter keepsWrites: how many of a hundred sectors had reached the disk.
  mutating func losePower(_ random: inout SeededRandom, keepsWrites: Int) {
    let lengths = changes.count { if case .length = $0 { true } else { false } }
    let kept: Int =
      switch keepsWrites {
      case 0: 0
      case 100: lengths
      default: Int.random(in: 0...lengths, using: &random)
      }
    durable = settled(lengths: kept) { _ in
      Int.random(in: 0..<100, using: &random) < keepsWrites
    }
    seen = durable
    changes = []
  }

  /// Changes bytes on the disk behind the file system's back.
  mutating func alter(_ offset: Int, _ change: (inout UInt8) -> Void) {
    if offset < durable.count { change(&durable[offset]) }
    if offset < seen.count { change(&seen[offset]) }
  }

  /// What the disk has after the first `lengths` changes of the length, and those of the sectors
  /// for which `keeps` is true.
  private func settled(lengths: Int = .max, keeps: (Int) -> Bool) -> [UInt8] {
    var bytes = durable
    var left = lengths
    // Room that a lost truncation did not free cannot have been given out again.
    var firstLostSector = Int.max
    for change in changes {
      switch change {
      case .length(let length):
        if left > 0 {
          Self.resize(&bytes, to: length)
        } else {
          let blocks = (length + Self.blockSize - 1) / Self.blockSize
          firstLostSector = min(firstLostSector, blocks * Self.blockSize / Self.sectorSize)
        }
        left -= 1
      case .sector(let sector, let part, let isOnDisk):
        let start = sector * Self.sectorSize
        guard isOnDisk || keeps(sector), start < bytes.count, sector < firstLostSector else {
          continue
        }
        let end = min(start + part.count, bytes.count)
        part.withUnsafeBytes { part in
          Self.copy(UnsafeRawBufferPointer(rebasing: part[..<(end - start)]), to: start, of: &bytes)
        }
      }
    }
    return bytes
  }

  private static func copy(
    _ part: UnsafeRawBufferPointer, to offset: Int, of bytes: inout [UInt8]
  ) {
    bytes.withUnsafeMutableBytes { out in
      UnsafeMutableRawBufferPointer(rebasing: out[offset..<offset + part.count])
        .copyMemory(from: part)
    }
  }

  private static func resize(_ bytes: inout [UInt8], to length: Int) {
    if length < bytes.count {
      bytes.removeLast(bytes.count - length)
    } else {
      bytes += [UInt8](repeating: 0, count: length - bytes.count)
    }
  }
}
