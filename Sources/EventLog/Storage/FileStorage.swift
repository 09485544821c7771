internal import ActorRuntime
internal import Glibc

/// The file system, through POSIX calls.
public struct FileStorage: LogStorage {
  public init() {}

  public func createDirectory(_ path: String) throws(StorageError) {
    var code = Self.makeDirectory(path)
    let parent = Self.parent(of: path)
    if code == ENOENT, let parent {
      try createDirectory(parent)
      code = Self.makeDirectory(path)
    }
    if code == EEXIST { return }
    guard code == 0 else { throw StorageError(.createDirectory, path: path, code: code) }
    try syncDirectory(parent ?? (path.hasPrefix("/") ? "/" : "."))
  }

  private static func makeDirectory(_ path: String) -> CInt {
    mkdir(path, 0o700) == 0 ? 0 : errno
  }

  public func list(_ directory: String) throws(StorageError) -> [String] {
    guard let stream = opendir(directory) else {
      throw StorageError(.list, path: directory, code: errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw StorageError(.list, path: directory, code: errno) }
    return names
  }

  public func open(_ path: String, _ access: StorageAccess) throws(StorageError) -> any LogFile {
    let flags: CInt =
      switch access {
      case .read: O_RDONLY
      case .write: O_RDWR
      case .create: O_RDWR | O_CREAT | O_TRUNC
      }
    // A pipe under a file's name must not keep the start waiting for who writes into it.
    let descriptor = try Self.descriptor(path, flags | O_NONBLOCK, for: .open)
    let file = PosixFile(descriptor: descriptor, path: path)
    guard try file.isRegular() else {
      throw StorageError(.open, path: path, code: StorageError.notRegular)
    }
    return file
  }

  public func rename(_ path: String, to newPath: String) throws(StorageError) {
    guard Glibc.rename(path, newPath) == 0 else {
      throw StorageError(.rename, path: path, code: errno)
    }
  }

  public func remove(_ path: String) throws(StorageError) {
    guard unlink(path) == 0 else { throw StorageError(.remove, path: path, code: errno) }
  }

  public func syncDirectory(_ path: String) throws(StorageError) {
    let descriptor = try Self.descriptor(path, O_RDONLY | O_DIRECTORY, for: .syncDirectory)
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw StorageError(.syncDirectory, path: path, code: errno)
    }
  }

  public func lock(_ path: String) throws(StorageError) -> any StorageLock {
    let descriptor = try Self.descriptor(path, O_RDWR | O_CREAT, for: .lock)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      close(descriptor)
      throw StorageError(.lock, path: path, code: code)
    }
    return FileLock(descriptor: descriptor)
  }

  private static func parent(of path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      return nil
    }
    return String(path[..<slash])
  }

  private static func descriptor(
    _ path: String, _ flags: CInt, for operation: StorageError.Operation
  ) throws(StorageError) -> CInt {
    while true {
      let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
      if descriptor >= 0 { return descriptor }
      if errno != EINTR { throw StorageError(operation, path: path, code: errno) }
    }
  }
}

/// An advisory lock that ends with the process, however it ends.
private final class FileLock: StorageLock {
  private let descriptor: Lock<CInt?>

  init(descriptor: CInt) { self.descriptor = Lock(descriptor) }

  deinit { release() }

  func release() {
    descriptor.withLock { descriptor in
      if let open = descriptor { close(open) }
      descriptor = nil
    }
  }
}
