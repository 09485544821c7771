internal import Glibc

/// Files checked in beside a test that hold what a released version wrote. They are never changed;
/// a new version adds files of its own.
public struct GoldenFiles: Sendable {
  public let directory: String

  /// - Parameters:
  ///   - folder: its path from the folder of the test's source.
  ///   - source: the test's source file.
  public init(_ folder: String, beside source: String = #filePath) {
    let end = source.lastIndex(of: "/") ?? source.startIndex
    directory = source[..<end] + "/" + folder
  }

  /// The names of the files, sorted.
  public var names: [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// A file's content; nil where there is none.
  public func bytes(_ name: String) -> [UInt8]? {
    guard let file = fopen(directory + "/" + name, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// A text file's lines; nil where there is none.
  public func lines(_ name: String) -> [String]? {
    bytes(name)?.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Writes a file that is not there yet, when the tests run with `SWIPESTREAM_GOLDEN=write`; one
  /// that is there stays as it is.
  public func write(_ name: String, _ content: @autoclosure () throws -> [UInt8]) rethrows {
    guard let mode = getenv("SWIPESTREAM_GOLDEN"), String(cString: mode) == "write",
      access(directory + "/" + name, F_OK) != 0
    else { return }
    let content = try content()
    guard let file = fopen(directory + "/" + name, "w") else {
      fatalError("cannot write \(directory)/\(name)")
    }
    fwrite(content, 1, content.count, file)
    fclose(file)
  }

  /// Writes a text file of `lines` that is not there yet; see ``write(_:_:)``.
  public func write(_ name: String, lines: [String]) {
    write(name, lines.flatMap { Array("\($0)\n".utf8) })
  }
}
