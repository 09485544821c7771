import Glibc

/// An open regular file; closed when it goes away.
final class InputFile {
  private let descriptor: Int32
  let size: Int

  /// Nil where the path is no regular file: a pipe or a device could block for ever.
  init?(_ path: FilePath) throws(SystemError) {
    descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    var info = stat()
    let failure = fstat(descriptor, &info) == 0 ? nil : SystemError(code: errno)
    let status = FileStatus(info)
    size = status.size
    if let failure { throw failure }
    guard status.kind == .file else { return nil }
    posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_SEQUENTIAL))
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Reads until `buffer` is full or the file ends; the count of bytes read.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset + done))
      if count == 0 { break }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        throw SystemError(code: errno)
      }
    }
    return done
  }

  /// Up to `count` bytes from `offset`.
  func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      do throws(SystemError) {
        used = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
