internal import Digests
internal import EventSourcing
internal import Glibc

/// A small file that says how far the log was searched for erasures. It is disposable: without it
/// the log is searched from the last recorded erasure on.
///
/// One line: log id, position, and CRC-32C of both with the space between, in hexadecimal.
struct ErasureMark: ErasureProgress {
  private static let sizeLimit = 128

  let path: String

  func load(log: LogID) -> GlobalPosition? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: Self.sizeLimit)
    let count = fread(&buffer, 1, buffer.count, file)
    let parts = String(decoding: buffer[..<count], as: UTF8.self)
      .split(whereSeparator: { $0 == " " || $0 == "\n" })
    guard parts.count == 3, parts[0] == log.description, let position = UInt64(parts[1]),
      parts[2] == Self.checksum("\(parts[0]) \(parts[1])")
    else { return nil }
    return GlobalPosition(position)
  }

  /// Written under another name first, so that there is always a whole one. Not synced, and what
  /// fails is left: the price is a longer search.
  func save(_ position: GlobalPosition, log: LogID) {
    let content = "\(log) \(position)"
    let temporary = path + ".tmp"
    guard let file = fopen(temporary, "we") else { return }
    let isWritten = fputs("\(content) \(Self.checksum(content))\n", file) >= 0
    if fclose(file) == 0, isWritten { rename(temporary, path) } else { unlink(temporary) }
  }

  private static func checksum(_ text: String) -> String {
    let value = Array(text.utf8).withUnsafeBytes { CRC32C.checksum($0) }
    return String(value, radix: 16)
  }
}
