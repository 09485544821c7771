import Glibc

/// Files of our own beside the mails: hidden ones in the Maildir's own folder, which mail programs
/// leave alone.
extension MaildirFolder {
  /// A small file's content, nil where there is none.
  public func note(_ name: String) throws(MailFilesError) -> [UInt8]? {
    let path = path.appending(Array(name.utf8))
    do throws(SystemError) {
      guard let file = try InputFile(path) else { return nil }
      return try file.bytes(at: 0, count: file.size)
    } catch {
      if error.code == ENOENT { return nil }
      throw MailFilesError(code: .unreadable, path: path.text, reason: error.reason)
    }
  }

  /// Puts a file in place whole: whoever reads it finds the old content or the new one.
  public func replaceNote(_ name: String, with bytes: [UInt8]) throws(MailFilesError) {
    let path = path.appending(Array(name.utf8))
    let draft = self.path.appending(Array("\(name).tmp".utf8))
    do throws(SystemError) {
      try Self.write(bytes, to: draft)
      let code = draft.withCString { old in path.withCString { Glibc.rename(old, $0) } }
      guard code == 0 else { throw SystemError(code: errno) }
    } catch {
      throw MailFilesError(code: .unwritable, path: path.text, reason: error.reason)
    }
  }

  private static func write(_ bytes: [UInt8], to path: FilePath) throws(SystemError) {
    let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done)
      }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        throw SystemError(code: errno)
      }
    }
    guard fsync(descriptor) == 0 else { throw SystemError(code: errno) }
  }

  /// Takes a lock that ends with the process, however it ends. Throws `locked` where another
  /// process has it.
  public func lock(_ name: String) throws(MailFilesError) -> MaildirLock {
    let path = path.appending(Array(name.utf8))
    let descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else {
      throw MailFilesError(
        code: .unwritable, path: path.text, reason: SystemError(code: errno).reason)
    }
    let lock = MaildirLock(descriptor)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno != EINTR else { continue }
      let isTaken = errno == EWOULDBLOCK
      throw MailFilesError(
        code: isTaken ? .locked : .unwritable, path: self.path.text,
        reason: isTaken ? "another process has it locked" : SystemError(code: errno).reason)
    }
    return lock
  }
}

/// A lock on a Maildir, held as long as this exists.
public final class MaildirLock: Sendable {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }
}
