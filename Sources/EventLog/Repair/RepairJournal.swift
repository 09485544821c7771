internal import Digests
internal import FastJSON

/// The steps that put a repaired log in the place of a damaged one. They are written down before the
/// first is taken, and each may be taken twice, so whatever interrupts them, they are taken to the
/// end later; a start refuses until they are.
struct RepairJournal: Equatable {
  enum Step: Equatable {
    /// A file is moved from the log to what is kept.
    case keep(String)
    /// A file that was made takes its place in the log.
    case place(String)
    /// A segment gets another header; its old one was copied before.
    case header(String, [UInt8])
  }

  static let fileName = "repair.journal"
  static let madeSuffix = ".repaired"
  private static let title = "swipestream repair 1"

  /// The folder for what is kept, under `DIR/removed`.
  let folder: String
  let steps: [Step]

  func encoded() -> [UInt8] {
    var lines = [Self.title, folder]
    for step in steps {
      switch step {
      case .keep(let name): lines.append("keep \(name)")
      case .place(let name): lines.append("place \(name)")
      case .header(let name, let bytes): lines.append("header \(name) \(Hexadecimal.string(bytes))")
      }
    }
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    let checksum = text.withRawBytes { CRC32C.checksum($0) }
    return text + Array(Hexadecimal.string(UInt64(checksum)).utf8)
  }

  init(folder: String, steps: [Step]) {
    self.folder = folder
    self.steps = steps
  }

  /// Nil where the bytes are no whole journal.
  init?(_ bytes: [UInt8]) {
    guard bytes.count > 16 else { return nil }
    let text = Array(bytes.dropLast(16))
    let checksum = text.withRawBytes { CRC32C.checksum($0) }
    guard bytes.suffix(16).elementsEqual(Hexadecimal.string(UInt64(checksum)).utf8) else {
      return nil
    }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.count >= 2, lines[0] == Self.title else { return nil }
    var steps: [Step] = []
    for line in lines[2...] {
      let words = line.split(separator: " ").map(String.init)
      switch (words.first, words.count) {
      case ("keep", 2): steps.append(.keep(words[1]))
      case ("place", 2): steps.append(.place(words[1]))
      case ("header", 3):
        guard let header = Self.bytes(words[2]) else { return nil }
        steps.append(.header(words[1], header))
      default: return nil
      }
    }
    self.init(folder: lines[1], steps: steps)
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count == 2 * SegmentHeader.size else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = Hexadecimal.value(digits[index..<index + 2]) else { return nil }
      bytes.append(UInt8(byte))
    }
    return bytes
  }
}

extension LogDirectory {
  var repairJournal: String { root + "/" + RepairJournal.fileName }
  var removed: String { root + "/removed" }

  /// Nil where there is none. Any other reason why it cannot be opened is no sign of that.
  func openRepairJournal() throws(StorageError) -> (any LogFile)? {
    do throws(StorageError) {
      return try storage.open(repairJournal, .read)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  /// Refuses a log that a repair was changing when it was interrupted.
  func checkRepairIsFinished() throws(EventLogError) {
    let isFinished = try mappingStorageErrors { () throws(StorageError) in
      try openRepairJournal() == nil
    }
    if !isFinished { throw .repairUnfinished(directory: root) }
  }
}
