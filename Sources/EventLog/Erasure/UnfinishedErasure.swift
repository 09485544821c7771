internal import EventSourcing

/// What a start does about a redo file: before anything in the log is judged, since a record that is
/// only half replaced would look damaged.
struct UnfinishedErasure {
  let directory: LogDirectory

  /// Writes the records of a whole redo file to their places once more, and removes the file. A
  /// torn one goes: nothing was replaced then.
  ///
  /// - Throws: `damaged` where a place does not hold the record that was to be replaced. Then
  ///   nothing was changed.
  func finish() throws(EventLogError) {
    guard let redo = try redoFile() else { return }
    if try isOfThisLog(redo) {
      for record in redo.records { try check(record) }
      try mappingStorageErrors { () throws(StorageError) in
        try directory.writeInPlace(redo.records)
      }
    }
    try remove()
  }

  /// Nil where there is none; one that is not whole is removed.
  private func redoFile() throws(EventLogError) -> RedoFile? {
    let bytes: [UInt8]? = try mappingStorageErrors { () throws(StorageError) in
      guard try directory.storage.list(directory.log).contains(FileFormat.redoName) else {
        return nil
      }
      let file = try directory.storage.open(directory.redo, .read)
      return try file.bytes(try file.size(), at: 0)
    }
    guard let bytes else { return nil }
    guard let redo = bytes.withRawBytes({ RedoFile($0) }) else {
      try remove()
      return nil
    }
    return redo
  }

  private func remove() throws(EventLogError) {
    try mappingStorageErrors { () throws(StorageError) in try directory.removeRedo() }
  }

  /// A segment that cannot be read is judged later, by what the redo file says of it.
  private func isOfThisLog(_ redo: RedoFile) throws(EventLogError) -> Bool {
    guard let first = redo.records.first else { return false }
    let bytes = try bytes(of: first.segment, SegmentHeader.size, at: 0)
    let header = try? bytes.withRawBytes { (bytes) throws(FrameFault) in
      try SegmentHeader(bytes)
    }
    return header.map { $0.log == redo.log } ?? true
  }

  /// The same before a repair: what does not fit is left out, since the place is what the repair is
  /// about. Nothing is lost by that; the erasure is not recorded yet and so will be done again.
  func finishWherePossible() throws(EventLogError) {
    guard let redo = try redoFile() else { return }
    let fitting = redo.records.filter { record in
      let path = directory.segmentPath(first: record.segment)
      return (try? directory.storage.open(path, .read)).map { record.fits(in: $0) } ?? false
    }
    try mappingStorageErrors { () throws(StorageError) in try directory.writeInPlace(fitting) }
    try remove()
  }

  private func check(_ record: ReplacedRecord) throws(EventLogError) {
    let place = try bytes(of: record.segment, record.bytes.count, at: record.offset)
    guard record.fits(over: place) else {
      throw .damaged(
        file: FileFormat.segmentName(first: record.segment), offset: record.offset,
        positions: nil,
        reason:
          "this is not the record that the unfinished erasure in \(FileFormat.redoName) replaces")
    }
  }

  private func bytes(
    of segment: UInt64, _ count: Int, at offset: Int
  ) throws(EventLogError) -> [UInt8] {
    try mappingStorageErrors { () throws(StorageError) in
      try directory.storage.open(directory.segmentPath(first: segment), .read)
        .bytes(count, at: offset)
    }
  }
}
