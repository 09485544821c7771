internal import ActorRuntime
public import EventLog
internal import Glibc

/// A disk in memory on which everything goes wrong that can, by seed or by rule.
///
/// It keeps what programs see apart from what is durable: a file's bytes, sector by sector, and its
/// length until the file is synced, a directory's names until the directory is. ``restart(after:)``
/// gives the disk as it could be after the process or the power has gone.
///
/// The same seed and the same calls give the same faults and the same remains. Any number of
/// threads may call, but then the calls' order, and with it what happens, is theirs.
public final class SimulatedStorage: LogStorage {
  let machine: Lock<SimulatedMachine>

  public init(seed: UInt64 = 1) { machine = Lock(SimulatedMachine(seed: seed)) }

  public func createDirectory(_ path: String) throws(StorageError) {
    try machine.withLock { machine throws(StorageError) in
      try machine.carryOut(.createDirectory, path) { machine in
        var path = path
        while !path.isEmpty {
          if machine.directories[path] == nil { machine.directories[path] = SimulatedDirectory() }
          path = SimulatedMachine.parent(of: path)
        }
      }
    }
  }

  public func list(_ directory: String) throws(StorageError) -> [String] {
    try machine.withLock { machine throws(StorageError) in
      try machine.carryOut(.list, directory) { _ in }
      guard let names = machine.directories[directory]?.seen.keys else {
        throw StorageError(.list, path: directory, code: ENOENT)
      }
      // A file system gives them in any order, but in the same one for the same seed.
      return names.sorted().shuffled(using: &machine.random)
    }
  }

  public func open(_ path: String, _ access: StorageAccess) throws(StorageError) -> any LogFile {
    try machine.withLock { machine throws(StorageError) in
      let known = machine.file(at: path)
      if access == .create {
        try machine.checkParent(of: path, for: .open)
        if known == nil && machine.faults.isFull { throw machine.full(.open, path) }
        try machine.carryOut(.open, path) { $0.create(path) }
      } else {
        try machine.carryOut(.open, path) { _ in }
      }
      guard let file = machine.file(at: path) else {
        throw StorageError(.open, path: path, code: ENOENT)
      }
      return SimulatedFile(
        machine: self.machine, file: file, path: path, generation: machine.generation,
        isWritable: access != .read)
    }
  }

  public func rename(_ path: String, to newPath: String) throws(StorageError) {
    try machine.withLock { machine throws(StorageError) in
      let parent = SimulatedMachine.parent(of: path)
      let newParent = SimulatedMachine.parent(of: newPath)
      guard let file = machine.file(at: path) else {
        throw StorageError(.rename, path: path, code: ENOENT)
      }
      try machine.checkParent(of: newPath, for: .rename)
      try machine.carryOut(.rename, path) { machine in
        let name = SimulatedMachine.name(of: path)
        let newName = SimulatedMachine.name(of: newPath)
        if parent == newParent {
          machine.directories[parent]?.rename(name, to: newName)
        } else {
          // A file system's journal makes it one step: the file is never nowhere.
          machine.directories[newParent]?.add(newName, file)
          machine.directories[newParent]?.sync()
          machine.directories[parent]?.remove(name)
        }
      }
    }
  }

  public func remove(_ path: String) throws(StorageError) {
    try machine.withLock { machine throws(StorageError) in
      guard machine.file(at: path) != nil else {
        throw StorageError(.remove, path: path, code: ENOENT)
      }
      try machine.carryOut(.remove, path) { machine in
        machine.directories[SimulatedMachine.parent(of: path)]?
          .remove(SimulatedMachine.name(of: path))
      }
    }
  }

  public func syncDirectory(_ path: String) throws(StorageError) {
    try machine.withLock { machine throws(StorageError) in
      guard machine.directories[path] != nil else {
        throw StorageError(.syncDirectory, path: path, code: ENOENT)
      }
      if machine.faults.liesOnDirectorySync { return }
      try machine.carryOut(.syncDirectory, path) { $0.directories[path]?.sync() }
    }
  }

  public func lock(_ path: String) throws(StorageError) -> any StorageLock {
    try machine.withLock { machine throws(StorageError) in
      try machine.checkParent(of: path, for: .lock)
      try machine.carryOut(.lock, path) { machine in
        if machine.file(at: path) == nil { machine.create(path) }
      }
      guard machine.locks.insert(path).inserted else {
        throw StorageError(.lock, path: path, code: EWOULDBLOCK)
      }
      return SimulatedLock(machine: self.machine, path: path, generation: machine.generation)
    }
  }
}

extension SimulatedMachine {
  /// Does `change`, unless the call is to fail. One that the machine stops in the middle of is done
  /// or not.
  mutating func carryOut(
    _ operation: StorageError.Operation, _ path: String, generation: Int? = nil,
    _ change: (inout SimulatedMachine) -> Void
  ) throws(StorageError) {
    switch try verdict(operation, path, generation: generation) {
    case .goesOn: change(&self)
    case .fails(let code): throw StorageError(operation, path: path, code: code)
    case .stops:
      if wasDone() { change(&self) }
      throw StorageError(operation, path: path, code: EIO)
    }
  }

  func checkParent(
    of path: String, for operation: StorageError.Operation
  ) throws(StorageError) {
    guard directories[Self.parent(of: path)] != nil else {
      throw StorageError(operation, path: path, code: ENOENT)
    }
  }

  /// Makes a file, or empties the one that is there.
  mutating func create(_ path: String) {
    if let file = file(at: path) {
      contents[file]?.setLength(0)
    } else {
      contents[nextFile] = SimulatedContent()
      directories[Self.parent(of: path)]?.add(Self.name(of: path), nextFile)
      nextFile += 1
    }
  }
}

private final class SimulatedLock: StorageLock {
  private let machine: Lock<SimulatedMachine>
  private let path: String
  private let generation: Int
  private let isHeld = Lock(true)

  init(machine: Lock<SimulatedMachine>, path: String, generation: Int) {
    self.machine = machine
    self.path = path
    self.generation = generation
  }

  deinit { release() }

  func release() {
    let wasHeld = isHeld.withLock { isHeld in
      defer { isHeld = false }
      return isHeld
    }
    if !wasHeld { return }
    machine.withLock { if $0.generation == generation { $0.locks.remove(path) } }
  }
}
