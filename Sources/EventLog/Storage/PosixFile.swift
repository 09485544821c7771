internal import Glibc

final class PosixFile: LogFile {
  private let descriptor: CInt
  private let path: String

  init(descriptor: CInt, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) -> Int
  {
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, offset + done)
      if count == 0 { break }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        throw error(.read)
      }
    }
    return done
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, offset + done)
      // A device that takes nothing and names no error would keep this loop for ever.
      if count == 0 { throw StorageError(.write, path: path, code: EIO) }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        throw error(.write)
      }
    }
  }

  // Never retried, not even when interrupted: after a failed sync the kernel may have dropped the
  // pages, and the next call would report success.
  func syncData() throws(StorageError) {
    guard fdatasync(descriptor) == 0 else { throw error(.sync) }
  }

  func sync() throws(StorageError) {
    guard fsync(descriptor) == 0 else { throw error(.sync) }
  }

  func truncate(to length: Int) throws(StorageError) {
    while ftruncate(descriptor, length) != 0 {
      if errno != EINTR { throw error(.truncate) }
    }
  }

  // Where the file system cannot reserve room, the C library writes a byte into each block instead.
  func preallocate(to length: Int) throws(StorageError) {
    guard length > 0 else { return }
    while true {
      let code = posix_fallocate(descriptor, 0, length)
      if code == 0 { return }
      if code != EINTR { throw StorageError(.preallocate, path: path, code: code) }
    }
  }

  /// Linux's `SEEK_DATA`, which the C library's module leaves out.
  private static let seekData: CInt = 3

  // Room that was reserved and never written is known to the file system as such. The descriptor's
  // own place, which this moves, is nobody's: all reads and writes name theirs.
  func nextData(from offset: Int) throws(StorageError) -> Int {
    let data = lseek(descriptor, offset, Self.seekData)
    if data >= 0 { return max(data, offset) }
    // None up to the end; a file system that cannot tell says something else.
    return errno == ENXIO ? max(try size(), offset) : offset
  }

  func size() throws(StorageError) -> Int { Int(try status(for: .size).st_size) }

  /// Whether it is a file, and not a directory, a pipe or a device.
  func isRegular() throws(StorageError) -> Bool {
    try status(for: .open).st_mode & S_IFMT == S_IFREG
  }

  private func status(for operation: StorageError.Operation) throws(StorageError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw error(operation) }
    return status
  }

  private func error(_ operation: StorageError.Operation) -> StorageError {
    StorageError(operation, path: path, code: errno)
  }
}
