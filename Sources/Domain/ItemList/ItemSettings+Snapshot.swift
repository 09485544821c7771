internal import EventSourcing

/// Settings as bytes: one that says what there is (1 fixed, 2 due, 4 an anchor day; 8 daily, 16
/// weekly, 24 monthly), then the due in microseconds, then the anchor day.
extension ItemSettings {
  private static let repetitions: [Repetition?] = [nil, .daily, .weekly, .monthly]

  func writeSnapshot(to writer: inout SnapshotWriter) {
    let repeats = Self.repetitions.firstIndex(of: repetition) ?? 0
    writer.byte(
      (movable ? 0 : 1) | (due == nil ? 0 : 2) | (anchorDay == nil ? 0 : 4) | UInt8(repeats << 3))
    if let due { writer.signed(due.microseconds) }
    if let anchorDay { writer.number(anchorDay) }
  }

  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    let flags = try reader.byte()
    guard flags > 0, flags < 32 else {
      throw SnapshotDecodingError("an item has unknown settings, or no other than the usual")
    }
    self.init(movable: flags & 1 == 0, repetition: Self.repetitions[Int(flags >> 3)])
    if flags & 2 != 0 {
      let due = Timestamp(microseconds: try reader.signed())
      guard Timestamp.writable.contains(due) else {
        throw SnapshotDecodingError("an item is due at no time that can be written")
      }
      self.due = due
    }
    guard flags & 4 != 0 else { return }
    let day = try reader.number(upTo: 31)
    guard day > 0 else { throw SnapshotDecodingError("an item has no day of a month") }
    anchorDay = day
  }
}

/// What was set, as bytes: one that says of what (1 movable, 2 repetition, 4 due), then the settings
/// in which that is as it was, behind a byte that says whether they are other than the usual.
extension ItemConfiguration {
  func writeSnapshot(to writer: inout SnapshotWriter) {
    writer.byte((movable == nil ? 0 : 1) | (repetition == nil ? 0 : 2) | (due == nil ? 0 : 4))
    var settings = applied(to: .usual)
    settings.anchorDay = anchorDay
    writer.bool(settings != .usual)
    if settings != .usual { settings.writeSnapshot(to: &writer) }
  }

  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    let given = try reader.byte()
    guard given > 0, given < 8 else {
      throw SnapshotDecodingError("of an item, nothing known was set")
    }
    let settings = try reader.bool() ? try ItemSettings(snapshot: &reader) : .usual
    self.init(
      movable: given & 1 == 0 ? nil : settings.movable,
      repetition: given & 2 == 0 ? nil : .some(settings.repetition),
      due: given & 4 == 0 ? nil : .some(settings.due), anchorDay: settings.anchorDay)
    var read = applied(to: .usual)
    read.anchorDay = anchorDay
    guard read == settings else {
      throw SnapshotDecodingError("of an item, more is told than was set")
    }
  }
}
