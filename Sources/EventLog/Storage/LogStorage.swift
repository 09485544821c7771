/// Where the log's files live: the port between the engine and the file system, so that tests can
/// put a failing or a simulated one in its place.
///
/// Nothing here is durable before the matching sync has returned: a file's bytes before `syncData`,
/// its existence and name before `syncDirectory`.
public protocol LogStorage: Sendable {
  /// Makes a directory and those above it; one that is there already is fine.
  func createDirectory(_ path: String) throws(StorageError)

  /// The names in a directory, in no order.
  func list(_ directory: String) throws(StorageError) -> [String]

  func open(_ path: String, _ access: StorageAccess) throws(StorageError) -> any LogFile

  /// Gives a file another name, in place of whatever had that name. That may be in another
  /// directory: then after a crash the file is in the one, the other or both, never nowhere.
  func rename(_ path: String, to newPath: String) throws(StorageError)

  func remove(_ path: String) throws(StorageError)

  func syncDirectory(_ path: String) throws(StorageError)

  /// Takes an exclusive lock on a file, made if need be, without waiting for it.
  ///
  /// - Throws: an error with ``StorageError/isHeldElsewhere`` where someone else holds it.
  func lock(_ path: String) throws(StorageError) -> any StorageLock
}

/// What a file is opened for.
public enum StorageAccess: Sendable {
  /// Reading a file that is there.
  case read
  /// Reading and writing a file that is there.
  case write
  /// Reading and writing a new, empty file, in place of one that is there.
  case create
}

/// An open file. It is closed with the last reference, so that no reader ever finds its descriptor
/// closed, or worse, given to another file, under its hands.
///
/// Any number of threads may read while one writes.
public protocol LogFile: AnyObject, Sendable {
  /// Fills `buffer` from `offset` on.
  ///
  /// - Returns: how many bytes were read: fewer than asked for only at the file's end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) -> Int

  /// Writes all of `bytes` from `offset` on, extending the file if need be.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError)

  /// Makes the written bytes durable, and the length where it matters for reading them.
  func syncData() throws(StorageError)

  /// Makes bytes and all of the file's attributes durable.
  func sync() throws(StorageError)

  func truncate(to length: Int) throws(StorageError)

  /// Reserves room up to `length`; what was not written reads as zeros.
  func preallocate(to length: Int) throws(StorageError)

  func size() throws(StorageError) -> Int

  /// Where, from `offset` on, the next byte may be that is not zero; the file's end where none is.
  func nextData(from offset: Int) throws(StorageError) -> Int
}

extension LogFile {
  /// It may be the next one.
  public func nextData(from offset: Int) throws(StorageError) -> Int { offset }
}

/// A lock that is held until it is released, or its last reference is gone.
public protocol StorageLock: AnyObject, Sendable {
  func release()
}
