/// Compares a sealed segment's file with what the open log knows of it.
struct SegmentCheck {
  /// What is wrong for a moment only, in the middle of an erasure, is right at another look.
  private static let pauseMilliseconds = 50

  let storage: any LogStorage
  let onRead: FileWindow.ReadObserver

  /// - Parameter waits: for some milliseconds; true where it is to stop.
  func damages(of segment: Segment, waits: (Int) -> Bool) -> [LogDamage] {
    let found = look(at: segment)
    if found.isEmpty || waits(Self.pauseMilliseconds) { return [] }
    return look(at: segment)
  }

  private func look(at segment: Segment) -> [LogDamage] {
    guard let seal = segment.seal else { return [] }
    let subject = SegmentInspection.Subject(
      name: segment.name, path: segment.path, size: seal.length, header: segment.header,
      isNewest: false, expectedLast: segment.first + UInt64(seal.count) - 1, durableHead: 0)
    do throws(StorageError) {
      let file = try storage.openSettled(segment.path, segment: segment.first)
      let header = try file.bytes(SegmentHeader.size, at: 0)
      let window = FileWindow(file, size: try file.size(), onRead: onRead)
      let inspection = try SegmentInspection(subject, window)
      if header != segment.header.encoded() {
        let damage = LogDamage(
          file: segment.name, offset: 0, positions: nil, reason: "its header was changed")
        return [damage] + inspection.damages
      }
      if inspection.damages.isEmpty, inspection.digest != seal.digest {
        return [
          LogDamage(
            file: segment.name, offset: 0,
            positions: segment.first...segment.first + UInt64(seal.count) - 1,
            reason: "its content is not what the next segment's header was made for")
        ]
      }
      return inspection.damages
    } catch {
      return [
        LogDamage(
          file: segment.name, offset: 0,
          positions: segment.first...segment.first + UInt64(seal.count) - 1,
          reason: error.description)
      ]
    }
  }
}
