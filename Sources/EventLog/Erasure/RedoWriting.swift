internal import EventSourcing

/// The storage's part in replacing records.
extension LogDirectory {
  var redo: String { log + "/" + FileFormat.redoName }

  /// Makes the new records durable beside the log.
  func writeRedo(_ redo: RedoFile) throws(StorageError) {
    let file = try storage.open(self.redo, .create)
    try redo.encoded().withRawBytes { (bytes) throws(StorageError) in
      try file.write(bytes, at: 0)
    }
    try file.sync()
    try storage.syncDirectory(log)
  }

  /// Writes records, which are durable in the redo file, to their places, and makes them durable.
  ///
  /// Through new descriptors: what a failed one still holds in the kernel is not to be trusted.
  func writeInPlace(_ records: [ReplacedRecord]) throws(StorageError) {
    var rest = records[...]
    while let first = rest.first {
      let part = rest.prefix { $0.segment == first.segment }
      rest = rest.dropFirst(part.count)
      let file = try storage.open(segmentPath(first: first.segment), .write)
      for record in part {
        try record.bytes.withRawBytes { (bytes) throws(StorageError) in
          try file.write(bytes, at: record.offset)
        }
      }
      try file.syncData()
    }
  }

  func removeRedo() throws(StorageError) {
    try storage.remove(redo)
    try storage.syncDirectory(log)
  }
}
