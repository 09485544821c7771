import Glibc

/// Opens one entry of a listing and reads what is in it.
enum EntryReader {
  enum Result {
    case source(MailSource)
    case mbox(OpenMbox)
  }

  static func read(_ entry: MailEntry) -> Result {
    let path = entry.path
    do throws(SystemError) {
      switch entry.kind {
      case .skipped(let reason): return skipped(path, reason)
      case .file: return try readFile(path, isTrusted: path.isNamedAsMail, flags: [])
      case .maildir(let folder, let isNew):
        return try readMaildir(path, folder: folder, isNew: isNew)
      }
    } catch {
      return skipped(path, error.reason)
    }
  }

  private static func skipped(_ path: FilePath, _ reason: String) -> Result {
    .source(.skipped(origin: path.text, reason: reason))
  }

  /// Mail programs rename files when flags change: one that is gone is looked for once more.
  private static func readMaildir(
    _ path: FilePath, folder: FilePath, isNew: Bool
  ) throws(SystemError) -> Result {
    let name = MaildirName(Array(path.name))
    do throws(SystemError) {
      return try readFile(path, isTrusted: true, flags: name.flags(isNew: isNew))
    } catch {
      guard error.code == ENOENT else { throw error }
      guard let found = FolderListing.find(name.unique, in: folder) else {
        return skipped(path, "removed by another program while reading")
      }
      guard found.path != path else { throw error }
      let flags = MaildirName(Array(found.path.name)).flags(isNew: found.isNew)
      return try readFile(found.path, isTrusted: true, flags: flags)
    }
  }

  private static func readFile(
    _ path: FilePath, isTrusted: Bool, flags: MailFlags
  ) throws(SystemError) -> Result {
    guard let file = try InputFile(path) else { return skipped(path, FolderListing.notAFile) }
    let head = try file.bytes(at: 0, count: MailSniffer.window)
    switch head.withUnsafeBytes({ MailSniffer.sniff($0, isTrusted: isTrusted) }) {
    case .noMail(let reason): return skipped(path, reason)
    case .mbox(let start): return .mbox(OpenMbox(path, file, from: start))
    case .message(let start, let fromLine):
      let size = max(file.size, head.count) - start
      guard size <= MessageParser.sizeLimit else { return skipped(path, MessageParser.tooLong) }
      let bytes = try file.bytes(at: start, count: size)
      let message = bytes.withUnsafeBytes {
        MessageParser.parse($0, fromLine: fromLine, container: .file(flags))
      }
      guard let message else { return skipped(path, MessageParser.unreadable) }
      return .source(.message(message, origin: path.text))
    }
  }
}

extension FilePath {
  /// Whether the name says that the file is one message.
  fileprivate var isNamedAsMail: Bool {
    String(decoding: name.suffix(4), as: UTF8.self).lowercased() == ".eml"
  }
}

/// An mbox that is being read.
final class OpenMbox {
  private let path: FilePath
  private let splitter: MboxSplitter
  private var number = 0
  private var hasFailed = false

  init(_ path: FilePath, _ file: InputFile, from start: Int) {
    self.path = path
    splitter = MboxSplitter(file, from: start, limit: MessageParser.sizeLimit)
  }

  /// Bytes of the file that are dealt with.
  var offset: Int { splitter.offset }

  func next() -> MailSource? {
    guard !hasFailed else { return nil }
    do throws(SystemError) {
      guard let piece = try splitter.next() else { return nil }
      number += 1
      return source(piece)
    } catch {
      hasFailed = true
      return .skipped(origin: path.text, reason: "mails after number \(number): \(error.reason)")
    }
  }

  private func source(_ piece: MboxPiece) -> MailSource {
    let origin = "\(path.text)#\(number)"
    if piece.isTooLong { return .skipped(origin: origin, reason: MessageParser.tooLong) }
    if piece.bytes.isEmpty { return .skipped(origin: origin, reason: "empty message") }
    let message = piece.bytes.withUnsafeBytes {
      MessageParser.parse($0, fromLine: piece.fromLine, container: .mbox)
    }
    guard var message else { return .skipped(origin: origin, reason: MessageParser.unreadable) }
    message.size = piece.size
    return .message(message, origin: origin)
  }
}
