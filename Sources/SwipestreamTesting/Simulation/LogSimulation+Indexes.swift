internal import EventLog

/// Indexes made from scratch.
extension LogSimulation {
  /// The indexes that are there after all that happened equal those made from scratch.
  mutating func checkIndexes() throws(SimulationFailure) {
    store?.close()
    store = nil
    guard try open(isDisturbed: false) else { return }
    let before = storage.snapshot.filter { $0.key.hasSuffix(".idx") }
    store?.close()
    store = nil
    for path in indexPaths { try? storage.remove(path) }
    note("all indexes are removed")
    guard try open(isDisturbed: false) else { return }
    let after = storage.snapshot.filter { $0.key.hasSuffix(".idx") }
    for (path, bytes) in after where !isEqual(before[path] ?? [], to: bytes) {
      throw failure("\(path) is not what it is when made from scratch")
    }
  }

  /// Indexes are not synced: sectors may be missing, or end early, in a part that was not asked for
  /// since.
  private func isEqual(_ bytes: [UInt8], to whole: [UInt8]) -> Bool {
    for start in stride(from: 0, to: whole.count, by: SimulatedContent.sectorSize) {
      let range = start..<min(start + SimulatedContent.sectorSize, whole.count)
      if bytes.count < range.upperBound { break }
      let common = zip(bytes[range], whole[range]).prefix { $0 == $1 }.count
      if bytes[range].dropFirst(common).contains(where: { $0 != 0 }) { return false }
    }
    return bytes.count <= whole.count
  }
}
