internal import EventSourcing

extension LogStorage {
  /// A segment's file for who looks at a log from outside: as the next start would leave it, with
  /// the records of an erasure that is not finished in their places.
  func openSettled(_ path: String, segment: UInt64) throws(StorageError) -> any LogFile {
    let file = try open(path, .read)
    let records = unfinishedRecords(beside: path)
      .filter { $0.segment == segment && $0.fits(in: file) }
    if records.isEmpty { return file }
    let transit = RecordsInTransit()
    transit.begin(records)
    return SteadyFile(file, segment: segment, transit: transit)
  }

  /// Those of the redo file in the same directory; none where there is no whole one.
  private func unfinishedRecords(beside path: String) -> [ReplacedRecord] {
    guard let slash = path.lastIndex(of: "/"),
      let file = try? open(path[...slash] + FileFormat.redoName, .read),
      let size = try? file.size(), let bytes = try? file.bytes(size, at: 0)
    else { return [] }
    return bytes.withRawBytes { RedoFile($0) }?.records ?? []
  }
}

extension ReplacedRecord {
  /// Whether the segment's file has at its place what it is to go over.
  func fits(in file: any LogFile) -> Bool {
    guard let place = try? file.bytes(bytes.count, at: offset) else { return false }
    return fits(over: place)
  }
}
