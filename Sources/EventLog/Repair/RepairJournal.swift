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
    /// What was derived from the log as it was is removed; always the last step.
    case discard
  }

  static let fileName = "repair.journal"
  static let madeSuffix = ".repaired"
  private static let title = "swipestream repair 1"

  /// The folder for what is kept, under `DIR/removed`.
  let folder: String
  /// None are left once they are all taken, and only the record is to be written.
  var steps: [Step]
  /// The data of the event that tells of the repair.
  let record: [UInt8]

  func encoded() -> [UInt8] {
    var lines = [Self.title, folder, Hexadecimal.string(record)]
    for step in steps {
      switch step {
      case .keep(let name): lines.append("keep \(Self.escaped(name))")
      case .place(let name): lines.append("place \(name)")
      case .header(let name, let bytes): lines.append("header \(name) \(Hexadecimal.string(bytes))")
      case .discard: lines.append("discard")
      }
    }
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    let checksum = text.withRawBytes { CRC32C.checksum($0) }
    return text + Array(Hexadecimal.string(UInt64(checksum)).utf8)
  }

  init(folder: String, steps: [Step], record: [UInt8]) {
    self.folder = folder
    self.steps = steps
    self.record = record
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
    guard lines.count >= 3, lines[0] == Self.title,
      let record = Hexadecimal.bytes(lines[2].utf8)
    else { return nil }
    var steps: [Step] = []
    for line in lines[3...] {
      guard let step = Self.step(line) else { return nil }
      steps.append(step)
    }
    self.init(folder: lines[1], steps: steps, record: record)
  }

  private static func step(_ line: String) -> Step? {
    if line == "discard" { return .discard }
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard words.count == 2 else { return nil }
    switch words[0] {
    case "keep": return .keep(unescaped(words[1]))
    case "place": return .place(words[1])
    case "header":
      let words = words[1].split(separator: " ").map(String.init)
      guard words.count == 2, let header = Hexadecimal.bytes(words[1].utf8),
        header.count == SegmentHeader.size
      else { return nil }
      return .header(words[0], header)
    default: return nil
    }
  }

  /// What is kept may have any name that ends as a segment's does; a step takes one line.
  private static func escaped(_ name: String) -> String {
    name.replacing("%", with: "%25").replacing("\n", with: "%0A")
  }

  private static func unescaped(_ text: String) -> String {
    text.replacing("%0A", with: "\n").replacing("%25", with: "%")
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
    if isInRepair { return }
    let isFinished = try mappingStorageErrors { () throws(StorageError) in
      try openRepairJournal() == nil
    }
    if !isFinished { throw .repairUnfinished(directory: root) }
  }
}
