internal import Digests
internal import EventSourcing

/// The files of a log and what their headers say, however wrong some of them are.
struct LogInventory {
  struct Entry {
    let name: String
    let path: String
    let size: Int
    /// Nil where it cannot be read.
    let header: SegmentHeader?
    /// What is wrong with header or name.
    let damage: LogDamage?
    /// The first position, by the header, or else by the name.
    let first: UInt64
  }

  /// In the order of their positions.
  private(set) var entries: [Entry] = []
  /// Files that have no place in the log.
  private(set) var strays: [LogDamage] = []

  /// - Parameter mark: how far the log was durable; where no segment is left it tells what is lost.
  init(directory: LogDirectory, mark: HeadMark?) throws(StorageError) {
    for name in try directory.segmentNames() {
      if let first = FileFormat.firstPosition(ofSegment: name),
        1...FileFormat.greatestPosition ~= first
      {
        entries.append(Self.entry(name, first: first, in: directory))
      } else {
        strays.append(
          LogDamage(
            file: name, offset: 0, positions: nil, reason: "this is no name of a segment"))
      }
    }
    entries.sort { ($0.first, $0.name) < ($1.first, $1.name) }
    if entries.isEmpty, let mark, mark.head > 0 {
      strays.append(
        LogDamage(
          file: FileFormat.segmentName(first: 1), offset: 0, positions: 1...mark.head,
          lost: 1...mark.head, reason: "the log has lost all of its segments", isLostEnd: true))
    }
  }

  private static func entry(_ name: String, first: UInt64, in directory: LogDirectory) -> Entry {
    let path = directory.log + "/" + name
    func entry(size: Int, _ header: SegmentHeader?, _ reason: String?) -> Entry {
      Entry(
        name: name, path: path, size: size, header: header,
        damage: reason.map {
          LogDamage(file: name, offset: 0, positions: nil, reason: $0)
        }, first: header?.first ?? first)
    }
    let size: Int
    let bytes: [UInt8]
    do throws(StorageError) {
      (size, bytes) = try directory.sizeAndHeader(of: name)
    } catch {
      return entry(size: 0, nil, error.description)
    }
    do throws(FrameFault) {
      let header = try bytes.withRawBytes { bytes throws(FrameFault) in try SegmentHeader(bytes) }
      return entry(
        size: size, header,
        header.first == first
          ? nil : "its name and its header disagree about its first position")
    } catch {
      return entry(size: size, nil, error.reason)
    }
  }

  /// The id that most headers have; of equals the one met first.
  var log: LogID? {
    var counts: [LogID: Int] = [:]
    for entry in entries { if let header = entry.header { counts[header.log, default: 0] += 1 } }
    let most = counts.values.max()
    return entries.lazy.compactMap(\.header?.log).first { counts[$0] == most }
  }

  /// What is to be inspected, and what the files say of one another beforehand.
  ///
  /// - Parameter durableHead: the log's head as it was before the files were listed.
  func subjects(durableHead: UInt64) -> [SegmentInspection.Subject] {
    entries.indices.map { index in
      let entry = entries[index]
      let next = index + 1 < entries.count ? entries[index + 1] : nil
      // Where the next one names another before it, a file between the two is missing.
      let isFollowed = next?.header.map { $0.previousFirst == entry.first } ?? true
      return SegmentInspection.Subject(
        name: entry.name, path: entry.path, size: entry.size,
        header: entry.header ?? Self.substitute(first: entry.first), isNewest: next == nil,
        expectedLast: isFollowed ? next.map { $0.first - 1 } : nil, durableHead: durableHead)
    }
  }

  /// Enough of a header to look for batches.
  private static func substitute(first: UInt64) -> SegmentHeader {
    SegmentHeader(
      log: LogID(bytes: [UInt8](repeating: 0, count: 16)), first: first, previousFirst: 0,
      created: 0, previousTime: .min, previousDigest: .zero)
  }
}
