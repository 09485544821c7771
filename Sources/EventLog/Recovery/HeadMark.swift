internal import Digests
internal import EventSourcing

/// A note of how far the log is durable, in a file of its own beside the log.
///
/// It is written after each commit and before anyone is told of it, and never synced: after a crash
/// of the process it is exact, after one of the machine it may be behind, and it is never ahead. So a
/// log that ends before the mark has lost its end, which nothing in the log itself would show; and a
/// process that copies the log while it is served knows what of it will stay. It is a check, no more:
/// without a mark, or with one that cannot be read, there is just none.
struct HeadMark: Sendable, Equatable {
  static let size = 36
  private static let magic = Array("SWIPEHED".utf8)

  let log: LogID
  /// The last durable position.
  let head: UInt64

  init(log: LogID, head: UInt64) {
    self.log = log
    self.head = head
  }

  /// Nil where the bytes are no mark or do not match their checksum.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size, bytes.part(0..<8).elementsEqual(Self.magic),
      CRC32C.checksum(bytes.part(0..<32)) == bytes.number(at: 32)
    else { return nil }
    log = LogID(bytes: Array(bytes.part(8..<24)))
    head = bytes.number(at: 24)
    guard head <= FileFormat.greatestPosition else { return nil }
  }

  /// What it says to those that compare it with where a log ends.
  var known: KnownHead { KnownHead(log: log, position: head) }

  func encoded() -> [UInt8] {
    [UInt8](zeros: Self.size) { out in
      Self.magic.withUnsafeBytes { out.put($0, at: 0) }
      log.bytes.withUnsafeBytes { out.put($0, at: 8) }
      out.put(head, at: 24)
      out.put(CRC32C.checksum(UnsafeRawBufferPointer(out).part(0..<32)), at: 32)
    }
  }

  /// The mark of the log in `directory`; nil where there is none, or none that can be read.
  static func read(in directory: LogDirectory) -> HeadMark? {
    guard let file = try? directory.storage.open(directory.headMark, .read),
      let bytes = try? file.bytes(size, at: 0)
    else { return nil }
    return bytes.withRawBytes { HeadMark($0) }
  }
}

/// Keeps the mark of an open log. A mark that cannot be written is left as it is: it is behind then,
/// which is allowed.
final class HeadMarker: Sendable {
  private let log: LogID
  private let file: (any LogFile)?

  /// Writes the mark of a log that was just opened, and makes it durable once.
  init(log: LogID, head: UInt64, in directory: LogDirectory) {
    self.log = log
    let storage = directory.storage
    file =
      (try? storage.open(directory.headMark, .write))
      ?? (try? storage.open(directory.headMark, .create))
    write(head)
    try? file?.syncData()
    try? storage.syncDirectory(directory.root)
  }

  func write(_ head: UInt64) {
    HeadMark(log: log, head: head).encoded().withRawBytes { try? file?.write($0, at: 0) }
  }
}
