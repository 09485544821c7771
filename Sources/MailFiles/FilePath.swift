import Glibc

/// A path as the bytes that the system knows; file names need not be UTF-8.
struct FilePath: Sendable, Equatable {
  let bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.utf8) }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// For people: bytes that are not UTF-8 are replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The part after the last slash.
  var name: ArraySlice<UInt8> {
    var end = bytes.endIndex
    while end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    let start = bytes[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 }
    return bytes[(start ?? 0)..<end]
  }

  func appending(_ name: [UInt8]) -> FilePath {
    FilePath(bytes: bytes + (bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name)
  }

  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    // A NUL inside would name another file than the one asked for: such a path names nothing.
    let isSound = !bytes.contains(0)
    return (isSound ? bytes + [0] : [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { body($0.baseAddress!) }
    }
  }

  /// What is at the path, symbolic links followed.
  func status() throws(SystemError) -> FileStatus {
    var info = stat()
    guard withCString({ stat($0, &info) }) == 0 else { throw SystemError(code: errno) }
    return FileStatus(info)
  }
}

/// The two facts about a file that reading needs.
struct FileStatus: Sendable {
  enum Kind: Sendable { case file, directory, other }
  let kind: Kind
  let size: Int

  init(_ info: stat) {
    switch info.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .directory
    default: kind = .other
    }
    size = Int(info.st_size)
  }
}

/// A failed system call.
struct SystemError: Error, Sendable, Equatable {
  let code: Int32

  /// The system's words, such as `Permission denied`.
  var reason: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
