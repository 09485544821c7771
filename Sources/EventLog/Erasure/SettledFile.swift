internal import EventSourcing

extension LogDirectory {
  /// A segment's file for who looks at the log from outside: as the next start would leave it, with
  /// the records of an erasure that is not finished in their places.
  func openSettled(_ path: String, segment: UInt64) throws(StorageError) -> any LogFile {
    let file = try storage.open(path, .read)
    let records = unfinishedRecords.filter { $0.segment == segment }
    if records.isEmpty { return file }
    let transit = RecordsInTransit()
    transit.begin(records)
    return SteadyFile(file, segment: segment, transit: transit)
  }

  /// None where there is no whole redo file.
  private var unfinishedRecords: [ReplacedRecord] {
    guard let file = try? storage.open(redo, .read), let size = try? file.size(),
      let bytes = try? file.bytes(size, at: 0)
    else { return [] }
    return bytes.withRawBytes { RedoFile($0) }?.records ?? []
  }
}
