internal import Glibc

/// What the storage could not do: the call, the file's name and the system's error number.
public struct StorageError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Operation: String, Sendable {
    case open, read, write, sync, truncate, preallocate, size, rename, remove, list, lock
    case createDirectory = "create directory"
    case syncDirectory = "sync directory"
  }

  public let operation: Operation
  /// The file's or directory's name, without the way to it.
  public let file: String
  /// The system's error number, for example `ENOSPC`, or ``notRegular``.
  public let code: CInt

  public init(_ operation: Operation, path: String, code: CInt) {
    self.operation = operation
    file = path.split(separator: "/").last.map(String.init) ?? path
    self.code = code
  }

  /// The code where a directory, a pipe or a device has a file's name.
  public static let notRegular: CInt = -1

  /// Whether a lock is held by someone else.
  public var isHeldElsewhere: Bool { operation == .lock && code == EWOULDBLOCK }

  /// Whether the file or directory is not there, be it that something else has its directory's name.
  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether a directory has the name of a file that was to be removed.
  public var isDirectory: Bool { operation == .remove && code == EISDIR }

  /// For a file that is larger than any of its kind can be.
  static let tooLarge = EFBIG

  public var description: String {
    let reason = code == Self.notRegular ? "it is no regular file" : String(cString: strerror(code))
    return "cannot \(operation.rawValue) \(file): \(reason)"
  }
}
