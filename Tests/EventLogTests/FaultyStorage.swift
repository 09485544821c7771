import ActorRuntime
import EventLog
import Glibc

/// The real file system, with calls that fail when told to: for tests that look at real files, or
/// open logs by the hundred and do not want to wait for the disk. What a crash leaves of a log is a
/// matter for `SimulatedStorage`, which knows what is durable.
final class FaultyStorage: LogStorage {
  struct Rule {
    let operation: StorageError.Operation
    /// In the file's name.
    let fragment: String
    let code: CInt
    /// How many calls it lets pass first.
    var skip: Int
    /// How many calls then fail.
    var count: Int
  }

  private struct State {
    var rules: [Rule] = []
    var calls: [(operation: StorageError.Operation, file: String)] = []
    /// Bytes of a failing write that reach the file all the same.
    var partialWrite = 0
    /// How many calls still work; what is called then fails for good.
    var callsLeft = Int.max
  }

  private let base = FileStorage()
  private let state = Lock(State())
  fileprivate let isSyncing: Bool

  /// - Parameter isSyncing: false where a test opens too many logs to wait for the disk.
  init(isSyncing: Bool = true) { self.isSyncing = isSyncing }

  /// Makes `count` calls of `operation` fail, after `skip` more.
  func fail(
    _ operation: StorageError.Operation, of fragment: String = ".seg", code: CInt = EIO,
    after skip: Int = 0, times count: Int = 1, partialWrite: Int = 0
  ) {
    state.withLock { state in
      state.partialWrite = partialWrite
      state.rules.append(
        Rule(
          operation: operation, fragment: fragment, code: code, skip: skip, count: count))
    }
  }

  /// From the call after `count` more on nothing is done any more, as if the process had ended.
  func stop(afterCalls count: Int) { state.withLock { $0.callsLeft = count } }

  func heal() {
    state.withLock { state in
      state.rules = []
      state.callsLeft = .max
    }
  }

  /// The calls so far, in order.
  var calls: [String] {
    state.withLock { $0.calls.map { "\($0.operation.rawValue) \($0.file)" } }
  }

  fileprivate func check(
    _ operation: StorageError.Operation, _ path: String
  ) throws(StorageError) {
    let error: StorageError? = state.withLock { state in
      state.calls.append((operation, path.split(separator: "/").last.map(String.init) ?? ""))
      if state.callsLeft == 0 { return StorageError(operation, path: path, code: EIO) }
      state.callsLeft -= 1
      for index in state.rules.indices
      where state.rules[index].operation == operation && path.contains(state.rules[index].fragment)
        && state.rules[index].count > 0
      {
        if state.rules[index].skip > 0 {
          state.rules[index].skip -= 1
          continue
        }
        state.rules[index].count -= 1
        return StorageError(operation, path: path, code: state.rules[index].code)
      }
      return nil
    }
    if let error { throw error }
  }

  fileprivate var partialWrite: Int { state.withLock { $0.partialWrite } }

  func createDirectory(_ path: String) throws(StorageError) {
    try check(.createDirectory, path)
    try base.createDirectory(path)
  }

  func list(_ directory: String) throws(StorageError) -> [String] {
    try check(.list, directory)
    return try base.list(directory)
  }

  func open(_ path: String, _ access: StorageAccess) throws(StorageError) -> any LogFile {
    try check(.open, path)
    return FaultyFile(storage: self, path: path, base: try base.open(path, access))
  }

  func rename(_ path: String, to newPath: String) throws(StorageError) {
    try check(.rename, path)
    try base.rename(path, to: newPath)
  }

  func remove(_ path: String) throws(StorageError) {
    try check(.remove, path)
    try base.remove(path)
  }

  func syncDirectory(_ path: String) throws(StorageError) {
    try check(.syncDirectory, path)
    if isSyncing { try base.syncDirectory(path) }
  }

  func lock(_ path: String) throws(StorageError) -> any StorageLock {
    try check(.lock, path)
    return try base.lock(path)
  }
}

private final class FaultyFile: LogFile {
  let storage: FaultyStorage
  let path: String
  let base: any LogFile

  init(storage: FaultyStorage, path: String, base: any LogFile) {
    self.storage = storage
    self.path = path
    self.base = base
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) -> Int
  {
    try storage.check(.read, path)
    return try base.read(into: buffer, at: offset)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    do throws(StorageError) {
      try storage.check(.write, path)
    } catch {
      let count = min(storage.partialWrite, bytes.count)
      try base.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: offset)
      throw error
    }
    try base.write(bytes, at: offset)
  }

  func syncData() throws(StorageError) {
    try storage.check(.sync, path)
    if storage.isSyncing { try base.syncData() }
  }

  func sync() throws(StorageError) {
    try storage.check(.sync, path)
    if storage.isSyncing { try base.sync() }
  }

  func truncate(to length: Int) throws(StorageError) {
    try storage.check(.truncate, path)
    try base.truncate(to: length)
  }

  func preallocate(to length: Int) throws(StorageError) {
    try storage.check(.preallocate, path)
    try base.preallocate(to: length)
  }

  func size() throws(StorageError) -> Int { try base.size() }
}
