internal import ActorRuntime
internal import Digests
internal import EventSourcing

/// Answers where records are, from memory for the newest segment and from index files for the
/// others. A file that is missing or worthless is made again from its segment.
final class SegmentIndexes: Sendable {
  private struct Key: Hashable {
    let first: UInt64
    let section: IndexImage.Section
  }

  private let storage: any LogStorage
  private let directory: String
  private let files: SegmentFiles
  private let hash: StreamHash
  private let cache: Lock<BoundedCache<Key, IndexSection>>
  private let rebuilding = Lock(())

  init(
    storage: any LogStorage, directory: String, files: SegmentFiles, hash: StreamHash,
    cacheBytes: Int
  ) {
    self.storage = storage
    self.directory = directory
    self.files = files
    self.hash = hash
    cache = Lock(BoundedCache(limit: cacheBytes))
  }

  func hash(of stream: StreamID) -> UInt64 { hash.value(of: stream) }

  func section(
    _ section: IndexImage.Section, of segment: Segment, _ seal: Segment.Seal
  ) throws(ReadError) -> IndexSection {
    if let known = cached(section, of: segment) { return known }
    if let stored = load(section, of: segment, seal) { return stored }
    return try rebuilding.withLock { (_) throws(ReadError) in
      // Somebody else may have done it while this thread waited.
      if let stored = load(section, of: segment, seal) { return stored }
      return try rebuild(segment, seal)[section]
    }
  }

  /// Writes a segment's index. That may fail: then it is made when it is needed.
  func save(_ live: LiveIndex, of segment: Segment, _ seal: Segment.Seal) {
    let image = IndexImage(
      of: live, log: segment.header.log, first: segment.first, seal: seal, hash: hash)
    keep(image, of: segment)
  }

  private func cached(_ section: IndexImage.Section, of segment: Segment) -> IndexSection? {
    cache.withLock { $0.value(for: Key(first: segment.first, section: section)) }
  }

  private func load(
    _ section: IndexImage.Section, of segment: Segment, _ seal: Segment.Seal
  ) -> IndexSection? {
    if let known = cached(section, of: segment) { return known }
    let file = IndexFile(storage: storage, directory: directory, first: segment.first)
    guard
      let stored = file.section(
        section, log: segment.header.log, first: segment.first, seal: seal)
    else { return nil }
    remember(stored, section, of: segment)
    return stored
  }

  private func remember(
    _ bytes: IndexSection, _ section: IndexImage.Section, of segment: Segment
  ) {
    cache.withLock {
      $0.insert(
        bytes, for: Key(first: segment.first, section: section), weight: bytes.bytes.count + 64)
    }
  }

  private func keep(_ image: IndexImage, of segment: Segment) {
    let file = IndexFile(storage: storage, directory: directory, first: segment.first)
    try? file.write(image)
    for section in IndexImage.Section.allCases { remember(image[section], section, of: segment) }
  }

  private func rebuild(_ segment: Segment, _ seal: Segment.Seal) throws(ReadError) -> IndexImage {
    let live = try SealedSegmentCheck(segment: segment, seal: seal).index(
      from: try files.file(of: segment))
    let image = IndexImage(
      of: live, log: segment.header.log, first: segment.first, seal: seal, hash: hash)
    keep(image, of: segment)
    return image
  }
}

/// Reads all of a sealed segment and makes sure that it is what was sealed.
struct SealedSegmentCheck {
  let segment: Segment
  let seal: Segment.Seal

  func index(from file: any LogFile) throws(ReadError) -> LiveIndex {
    let scan: SegmentScan
    do throws(StorageError) {
      let window = FileWindow(file, size: try file.size())
      scan = try SegmentScan(window, header: segment.header)
    } catch {
      throw .failed(reason: error.description)
    }
    switch scan.stop {
    case .fileEnd: break
    case .reserved: throw damage(scan, reason: "zeros where a batch is due")
    case .fault(let fault): throw damage(scan, reason: fault.reason)
    }
    guard scan.live.count == seal.count, scan.end == seal.length,
      scan.hasher.digest() == seal.digest
    else {
      throw damage(scan, reason: "its content is not what the next segment's header says")
    }
    return scan.live
  }

  private func damage(_ scan: SegmentScan, reason: String) -> ReadError {
    let last = max(segment.first + UInt64(seal.count), scan.nextPosition + 1) - 1
    return .damaged(
      place: EventLogError.place(file: segment.name, offset: scan.end),
      positions: scan.nextPosition...last, reason: reason)
  }
}
