internal import ActorRuntime
public import EventLog

/// What a test does to the disk and learns of it, behind the back of who uses it.
extension SimulatedStorage {
  public var faults: StorageFaults {
    get { machine.withLock { $0.faults } }
    set { machine.withLock { $0.faults = newValue } }
  }

  public var counts: StorageCounts { machine.withLock { $0.counts } }

  /// Makes `count` calls of `operation` fail, after `skip` more.
  ///
  /// - Parameters:
  ///   - fragment: in the file's path.
  ///   - partialWrite: how many bytes of a failing write are written all the same.
  public func fail(
    _ operation: StorageError.Operation, of fragment: String = ".seg", code: Int32,
    after skip: Int = 0, times count: Int = 1, partialWrite: Int = 0
  ) {
    machine.withLock { machine in
      machine.rules.append(
        SimulatedMachine.Rule(
          operation: operation, fragment: fragment, code: code, skip: skip, count: count,
          partialWrite: partialWrite))
    }
  }

  /// Ends all faults, by rule and by chance, and takes back a stop that is still to come.
  public func heal() {
    machine.withLock { machine in
      machine.callsUntilStop = nil
      machine.rules = []
      machine.faults = StorageFaults()
    }
  }

  /// Keeps ``calls`` from here on.
  public func keepCalls() { machine.withLock { $0.keepsCalls = true } }

  /// The calls in order, each with its file's name.
  public var calls: [String] { machine.withLock { $0.calls } }

  // MARK: Crashes

  /// Lets the machine stop in the middle of a call, after `count` more; whatever is called then
  /// fails, until ``restart(after:)``.
  ///
  /// - Parameter operation: the kind of call to count and to stop in; nil for any.
  public func stop(afterCalls count: Int, of operation: StorageError.Operation? = nil) {
    machine.withLock { machine in
      machine.callsUntilStop = count
      machine.stoppingOperation = operation
    }
  }

  public var isStopped: Bool { machine.withLock { $0.isStopped } }

  /// Lets go of all locks and open files, and with the power also of what was not durable.
  public func restart(after loss: StorageLoss) { machine.withLock { $0.restart(after: loss) } }

  // MARK: Contents

  /// The paths of all files.
  public var paths: [String] {
    machine.withLock { machine in
      machine.directories.flatMap { directory in
        directory.value.seen.keys.map { directory.key + "/" + $0 }
      }.sorted()
    }
  }

  /// A file's bytes as programs see them; nil where there is no such file.
  public func bytes(of path: String) -> [UInt8]? {
    machine.withLock { machine in machine.file(at: path).flatMap { machine.contents[$0]?.seen } }
  }

  /// A file's bytes as they would be if the power failed now and nothing unsynced had been written.
  public func durableBytes(of path: String) -> [UInt8]? {
    machine.withLock { machine in
      machine.directories[SimulatedMachine.parent(of: path)]?
        .durable[SimulatedMachine.name(of: path)]
        .flatMap { machine.contents[$0]?.durable }
    }
  }

  /// Every file's bytes by its path.
  public var snapshot: [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for path in paths { files[path] = bytes(of: path) }
    return files
  }

  /// Changes a byte on the disk, as a failing medium does.
  public func alter(_ path: String, at offset: Int, _ change: (inout UInt8) -> Void) {
    machine.withLock { machine in
      if let file = machine.file(at: path) { machine.contents[file]?.alter(offset, change) }
    }
  }

  /// Puts a file there, durable at once.
  public func put(_ bytes: [UInt8], at path: String) {
    machine.withLock { machine in
      machine.create(path)
      guard let file = machine.file(at: path) else { return }
      bytes.withUnsafeBytes { machine.contents[file]?.write($0, at: 0) }
      machine.contents[file]?.sync()
      machine.directories[SimulatedMachine.parent(of: path)]?.sync()
    }
  }
}
