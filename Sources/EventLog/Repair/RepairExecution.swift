/// Takes the steps of a journal, from wherever they were left.
struct RepairExecution {
  let directory: LogDirectory
  private var storage: any LogStorage { directory.storage }

  init(directory: LogDirectory) { self.directory = directory }

  /// The journal of a repair that was interrupted; nil where there is none.
  ///
  /// It got its name after it was durable, so one that is not whole is damaged: what was done of the
  /// repair is not known then, and nothing may be taken for what it left over.
  func unfinished() throws(EventLogError) -> RepairJournal? {
    let bytes = try mappingStorageErrors { () throws(StorageError) -> [UInt8]? in
      guard let file = try directory.openRepairJournal() else { return nil }
      return try file.bytes(try file.size(), at: 0)
    }
    guard let bytes else { return nil }
    guard let journal = RepairJournal(bytes) else {
      throw .repairUnreadable(directory: directory.root)
    }
    return journal
  }

  /// Makes the journal durable; from here on the repair will be finished.
  func begin(_ journal: RepairJournal) throws(StorageError) {
    let temporary = directory.repairJournal + FileFormat.temporarySuffix
    try Self.write(journal.encoded(), to: temporary, storage)
    try storage.rename(temporary, to: directory.repairJournal)
    try storage.syncDirectory(directory.root)
  }

  /// Takes all steps.
  ///
  /// - Returns: the journal that is in their place then: just the record is left to be written. So
  ///   no step is taken when the log has grown by it.
  func takeSteps(of journal: RepairJournal) throws(StorageError) -> RepairJournal {
    if journal.steps.isEmpty { return journal }
    let kept = directory.removed + "/" + journal.folder
    try keep(journal, in: kept)
    let names = Set(try storage.list(directory.log))
    for step in journal.steps {
      switch step {
      case .keep, .discard: continue
      case .place(let name):
        let made = name + RepairJournal.madeSuffix
        if names.contains(made) {
          try storage.rename(directory.log + "/" + made, to: directory.log + "/" + name)
        }
      case .header(let name, let bytes):
        let file = try storage.open(directory.log + "/" + name, .write)
        try bytes.withRawBytes { (bytes) throws(StorageError) in try file.write(bytes, at: 0) }
        try file.sync()
      }
    }
    try storage.syncDirectory(directory.log)
    try discardDerived()
    var rest = journal
    rest.steps = []
    try begin(rest)
    return rest
  }

  /// Removes the journal: the repair is done.
  func end() throws(StorageError) {
    try storage.remove(directory.repairJournal)
    try storage.syncDirectory(directory.root)
  }

  private func keep(_ journal: RepairJournal, in kept: String) throws(StorageError) {
    let names = Set(try storage.list(directory.log))
    let placed = Set(
      journal.steps.compactMap { step in if case .place(let name) = step { name } else { nil } })
    for case .keep(let name) in journal.steps where names.contains(name) {
      // Once the new file is in its place, the old one was moved before.
      if placed.contains(name), !names.contains(name + RepairJournal.madeSuffix) { continue }
      try storage.rename(directory.log + "/" + name, to: kept + "/" + name)
    }
    try storage.syncDirectory(kept)
    try storage.syncDirectory(directory.log)
  }

  /// Removes what was derived from the log as it was, and the marks of how far it went and was
  /// searched; durably, since once the journal is gone nobody would remove them again.
  private func discardDerived() throws(StorageError) {
    for part in [directory.index, directory.snapshots, directory.views] {
      guard let names = try Self.names(in: part, storage) else { continue }
      for name in names { try discard(part + "/" + name) }
      // Also where none is left: those that an earlier attempt removed may not be durably gone.
      try storage.syncDirectory(part)
    }
    for mark in [directory.headMark, directory.erasureMark] { try discard(mark) }
    try storage.syncDirectory(directory.root)
  }

  /// Removes a file if it is there. A directory under its name is none of the log's.
  private func discard(_ path: String) throws(StorageError) {
    do throws(StorageError) {
      try storage.remove(path)
    } catch {
      if !error.isMissing && !error.isDirectory { throw error }
    }
  }

  /// Nil where there is no such directory.
  static func names(in path: String, _ storage: any LogStorage) throws(StorageError) -> [String]? {
    do throws(StorageError) {
      return try storage.list(path)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  /// Writes a file and makes its bytes durable.
  static func write(
    _ bytes: [UInt8], to path: String, _ storage: any LogStorage
  ) throws(StorageError) {
    let file = try storage.open(path, .create)
    try bytes.withRawBytes { (bytes) throws(StorageError) in try file.write(bytes, at: 0) }
    try file.sync()
  }
}
