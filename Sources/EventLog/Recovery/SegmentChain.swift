internal import Digests
internal import EventSourcing

/// The log's segments by their names and headers, each of which says which one is before it.
struct SegmentChain {
  struct Link {
    let header: SegmentHeader
    let path: String
    let size: Int

    var name: String { FileFormat.segmentName(first: header.first) }
  }

  private let storage: any LogStorage
  private(set) var links: [Link] = []

  /// Reads all headers.
  init(directory: LogDirectory) throws(EventLogError) {
    storage = directory.storage
    try directory.checkRepairIsFinished()
    for name in try Self.segmentNames(in: directory) {
      let link = try Self.link(name, in: directory)
      try Self.check(link, after: links.last)
      links.append(link)
    }
  }

  private static func segmentNames(in directory: LogDirectory) throws(EventLogError) -> [String] {
    let segments = try mappingStorageErrors { () throws(StorageError) in
      try directory.segmentNames()
    }
    for name in segments where FileFormat.firstPosition(ofSegment: name) == nil {
      throw .damaged(
        file: name, offset: 0, positions: nil, reason: "this is no name of a segment")
    }
    return segments
  }

  private static func link(
    _ name: String, in directory: LogDirectory
  ) throws(EventLogError) -> Link {
    let path = directory.log + "/" + name
    let (size, bytes) = try mappingStorageErrors { () throws(StorageError) in
      try directory.sizeAndHeader(of: name)
    }
    do throws(FrameFault) {
      let header = try bytes.withRawBytes { bytes throws(FrameFault) in try SegmentHeader(bytes) }
      guard header.first == FileFormat.firstPosition(ofSegment: name) else {
        throw FrameFault("its name and its header disagree about its first position")
      }
      return Link(header: header, path: path, size: size)
    } catch {
      throw .damaged(file: name, offset: 0, positions: nil, reason: error.reason)
    }
  }

  private static func check(_ link: Link, after previous: Link?) throws(EventLogError) {
    let expected = previous?.header.first ?? 0
    guard link.header.previousFirst == expected, previous != nil || link.header.first == 1 else {
      let before = link.header.previousFirst
      throw .damaged(
        file: link.name, offset: 0,
        positions: before < link.header.first ? max(before, 1)...link.header.first : nil,
        reason: "the segment before it is missing")
    }
    guard previous.map({ $0.header.log == link.header.log }) ?? true else {
      throw .damaged(
        file: link.name, offset: 0, positions: nil, reason: "it is a segment of another log")
    }
  }

  /// Checks the newest segment's predecessor against the digest in the newest one's header, for
  /// which it is read. Of older ones the records are checked when they are read.
  func checkDigest() throws(EventLogError) {
    guard links.count > 1 else { return }
    let sealed = links[links.count - 2]
    let next = links[links.count - 1].header
    let digest = try mappingStorageErrors { () throws(StorageError) in
      try SegmentDigest(
        FileWindow(try storage.open(sealed.path, .read), size: sealed.size),
        header: sealed.header)
    }
    guard digest.value == next.previousDigest, digest.nextPosition == next.first else {
      throw .damaged(
        file: sealed.name, offset: digest.end,
        positions: sealed.header.first...max(next.first - 1, sealed.header.first),
        reason: "its batches are not those that the next segment's header was made for")
    }
  }
}
