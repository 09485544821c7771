internal import ActorRuntime
internal import Glibc

@testable import EventLog

/// Files in memory: nothing that a run leaves behind, and thousands of logs a second.
final class MemoryStorage: LogStorage {
  private let files: Lock<[String: MemoryFile]>

  init(_ files: [String: [UInt8]] = [:]) {
    self.files = Lock(files.mapValues { MemoryFile($0) })
  }

  /// All files' contents by their paths.
  var contents: [String: [UInt8]] { files.withLock { $0 }.mapValues { $0.bytes } }

  func createDirectory(_ path: String) throws(StorageError) {}

  func list(_ directory: String) throws(StorageError) -> [String] {
    let prefix = directory + "/"
    return files.withLock { Array($0.keys) }.filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }.filter { !$0.contains("/") }
  }

  func open(_ path: String, _ access: StorageAccess) throws(StorageError) -> any LogFile {
    let file = files.withLock { files -> MemoryFile? in
      if access == .create { files[path] = MemoryFile([]) }
      return files[path]
    }
    guard let file else { throw StorageError(.open, path: path, code: ENOENT) }
    return file
  }

  func rename(_ path: String, to newPath: String) throws(StorageError) {
    let isThere = files.withLock { files in
      guard let file = files.removeValue(forKey: path) else { return false }
      files[newPath] = file
      return true
    }
    guard isThere else { throw StorageError(.rename, path: path, code: ENOENT) }
  }

  func remove(_ path: String) throws(StorageError) { files.withLock { $0[path] = nil } }
  func syncDirectory(_ path: String) throws(StorageError) {}
  func lock(_ path: String) throws(StorageError) -> any StorageLock { NoLock() }
}

/// One log at a time has the storage.
private final class NoLock: StorageLock {
  func release() {}
}

/// A file in memory.
final class MemoryFile: LogFile {
  private let content: Lock<[UInt8]>

  init(_ bytes: [UInt8]) { content = Lock(bytes) }

  var bytes: [UInt8] { content.withLock { $0 } }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(StorageError) -> Int {
    content.withLock { bytes in
      let count = max(0, min(buffer.count, bytes.count - offset))
      if count > 0 { buffer.copyBytes(from: bytes[offset..<offset + count]) }
      return count
    }
  }

  func write(_ new: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    content.withLock { bytes in
      Self.extend(&bytes, to: offset + new.count)
      bytes.withUnsafeMutableBytes { $0.put(new, at: offset) }
    }
  }

  func truncate(to length: Int) throws(StorageError) {
    content.withLock { bytes in
      bytes.removeLast(max(0, bytes.count - length))
      Self.extend(&bytes, to: length)
    }
  }

  func preallocate(to length: Int) throws(StorageError) {
    content.withLock { Self.extend(&$0, to: length) }
  }

  private static func extend(_ bytes: inout [UInt8], to length: Int) {
    bytes += [UInt8](repeating: 0, count: max(0, length - bytes.count))
  }

  func size() throws(StorageError) -> Int { content.withLock { $0.count } }
  func syncData() throws(StorageError) {}
  func sync() throws(StorageError) {}
}
