internal import ActorRuntime
internal import EventLog
internal import Glibc

/// An open file of a ``SimulatedStorage``; dead once the storage has been started again.
final class SimulatedFile: LogFile {
  private let machine: Lock<SimulatedMachine>
  private let file: Int
  private let path: String
  private let generation: Int
  private let isWritable: Bool

  init(
    machine: Lock<SimulatedMachine>, file: Int, path: String, generation: Int, isWritable: Bool
  ) {
    self.machine = machine
    self.file = file
    self.path = path
    self.generation = generation
    self.isWritable = isWritable
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) -> Int
  {
    try machine.withLock { machine throws(StorageError) in
      try carryOut(.read, on: &machine) { _ in }
      let content = machine.contents[file]?.seen ?? []
      guard offset < content.count else { return 0 }
      let part = content[offset..<min(offset + buffer.count, content.count)]
      buffer.copyBytes(from: part)
      return part.count
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    try machine.withLock { machine throws(StorageError) in
      try checkWritable(.write)
      let count = machine.contents[file]?.count ?? 0
      if machine.faults.isFull, offset + bytes.count > count { throw machine.full(.write, path) }
      switch try machine.verdict(.write, path, generation: generation) {
      case .goesOn:
        let route = Self.route(&machine)
        machine.contents[file]?.write(bytes, at: offset, route: route)
      case .fails(let code):
        writePart(of: bytes, at: offset, to: &machine)
        throw StorageError(.write, path: path, code: code)
      case .stops:
        _ = machine.wasDone()
        writePart(of: bytes, at: offset, to: &machine)
        throw StorageError(.write, path: path, code: EIO)
      }
    }
  }

  private func writePart(
    of bytes: UnsafeRawBufferPointer, at offset: Int, to machine: inout SimulatedMachine
  ) {
    let count = machine.part(of: bytes.count)
    machine.contents[file]?
      .write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: offset)
  }

  private static func route(_ machine: inout SimulatedMachine) -> SimulatedContent.Route {
    let faults = machine.faults
    if faults.lostWriteOdds > 0, machine.random.chance(oneIn: faults.lostWriteOdds) {
      machine.counts.faults += 1
      return .nowhere
    }
    if faults.misdirectedWriteOdds > 0, machine.random.chance(oneIn: faults.misdirectedWriteOdds) {
      machine.counts.faults += 1
      return .elsewhere(by: Int.random(in: 1...16, using: &machine.random))
    }
    return .asWritten
  }

  func syncData() throws(StorageError) { try sync() }

  func sync() throws(StorageError) {
    try machine.withLock { machine throws(StorageError) in
      switch try machine.verdict(.sync, path, generation: generation) {
      case .goesOn:
        if !machine.faults.liesOnSync { machine.contents[file]?.sync() }
      case .fails(let code):
        var random = machine.random
        machine.contents[file]?.failSync(&random)
        machine.random = random
        throw StorageError(.sync, path: path, code: code)
      case .stops: throw StorageError(.sync, path: path, code: EIO)
      }
    }
  }

  func truncate(to length: Int) throws(StorageError) {
    try machine.withLock { machine throws(StorageError) in
      try checkWritable(.truncate)
      try carryOut(.truncate, on: &machine) { $0.setLength(length) }
    }
  }

  // One that fails may have reserved a part.
  func preallocate(to length: Int) throws(StorageError) {
    try machine.withLock { machine throws(StorageError) in
      try checkWritable(.preallocate)
      let count = machine.contents[file]?.count ?? 0
      guard length > count else { return try carryOut(.preallocate, on: &machine) { _ in } }
      if machine.faults.isFull { throw machine.full(.preallocate, path) }
      do throws(StorageError) {
        try carryOut(.preallocate, on: &machine) { $0.setLength(length) }
      } catch {
        if !machine.isStopped {
          let part = Int.random(in: count...length, using: &machine.random)
          machine.contents[file]?.setLength(part)
        }
        throw error
      }
    }
  }

  func size() throws(StorageError) -> Int {
    try machine.withLock { machine throws(StorageError) in
      try carryOut(.size, on: &machine) { _ in }
      return machine.contents[file]?.count ?? 0
    }
  }

  private func checkWritable(_ operation: StorageError.Operation) throws(StorageError) {
    if !isWritable { throw StorageError(operation, path: path, code: EBADF) }
  }

  private func carryOut(
    _ operation: StorageError.Operation, on machine: inout SimulatedMachine,
    _ change: (inout SimulatedContent) -> Void
  ) throws(StorageError) {
    try machine.carryOut(operation, path, generation: generation) { machine in
      if var content = machine.contents.removeValue(forKey: file) {
        change(&content)
        machine.contents[file] = content
      }
    }
  }
}
