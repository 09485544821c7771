public import EventSourcing
internal import FastJSON

/// A list as bytes: whether it exists (1 byte); its title; the number of sections, and of each its
/// traits (1 byte, 255 and nothing more for a lost one), header, footer, and its swipe settings and
/// style as JSON; the numbers of the sections that are not removed, in their order; the number of
/// items and a state byte for each; each section's items in their order; the texts of all but purged
/// items; the settings that are not the usual; where completed and where deleted items were; how many
/// have left; what can be taken back; the swipe settings that single items have. Texts and JSON are behind their length, and behind a byte
/// that says whether they are there where they may be missing.
extension ItemList {
  public static let snapshotVersion: UInt32 = 2

  public var memoryFootprint: Int {
    let departure = 4 + MemoryLayout<Departure>.stride
    return states.capacity + homes.capacity * 4 + texts.memoryFootprint + order.memoryFootprint
      + (completions.capacity + deletions.capacity) * departure * 4 / 3
      + settings.capacity * (4 + MemoryLayout<ItemSettings>.stride) * 4 / 3
      + title.utf8.count + journal.memoryFootprint + overrides.memoryFootprint
      + sections.count * (SwipeSettings.memoryFootprint + 512)
  }

  public func writeSnapshot(to writer: inout SnapshotWriter) {
    writer.bool(exists)
    writer.text(title)
    writer.number(sections.count)
    for (index, section) in sections.enumerated() {
      guard let section else {
        writer.byte(SectionContent.lost)
        continue
      }
      let isRemoved = removedSections.contains(SectionID(index + 1))
      writer.byte(section.traitBits | (isRemoved ? SectionContent.removed : 0))
      writer.text(nullable: section.header)
      writer.text(nullable: section.footer)
      section.swipe.writeSnapshot(to: &writer)
      section.style.writeSnapshot(to: &writer)
    }
    for section in sectionOrder { writer.number(section.rawValue) }
    writer.number(states.count - 1)
    writer.raw(states.dropFirst().lazy.map(\.rawValue))
    var counts = [Int](repeating: 0, count: sections.count + 1)
    for home in homes { counts[Int(home)] += 1 }
    for lane in counts.indices.dropFirst() {
      order.writeLane(lane, count: counts[lane], to: &writer)
    }
    for (item, state) in states.enumerated() where !state.contains(.purged) {
      writer.text(texts[ItemID(item)])
    }
    writer.number(settings.count)
    for (item, settings) in settings.sorted(by: { $0.key < $1.key }) {
      writer.number(item)
      settings.writeSnapshot(to: &writer)
    }
    Self.write(completions, to: &writer)
    Self.write(deletions, to: &writer)
    writer.number(departureCount)
    journal.write(to: &writer)
    overrides.writeSnapshot(to: &writer)
  }

  private static func write(_ departures: [UInt32: Departure], to writer: inout SnapshotWriter) {
    writer.number(departures.count)
    for (item, departure) in departures.sorted(by: { $0.key < $1.key }) {
      writer.number(item)
      writer.number(departure.section)
      writer.number(departure.above)
      writer.number(departure.below)
      writer.number(departure.sequence)
    }
  }

  public init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    self.init(try SnapshotParts(&reader))
    guard exists || self == ItemList() else {
      throw SnapshotDecodingError("a list that does not exist is not empty")
    }
  }
}

extension SectionContent {
  /// Stands in the place of a lost section's traits.
  static let lost: UInt8 = 255
  /// Is added to the traits of a removed one.
  static let removed: UInt8 = 64

  /// The traits, and whether it is for completed items.
  fileprivate var traitBits: UInt8 { traits.bits | (completedRole ? 32 : 0) }

  /// - Parameter bits: the traits, read before.
  init(bits: UInt8, snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    guard bits < 64 else { throw SnapshotDecodingError("a section has unknown traits") }
    self.init(
      header: try reader.nullableText(), footer: try reader.nullableText(),
      traits: SectionTraits(bits: bits),
      swipe: try SwipeSettings(snapshot: &reader), completedRole: bits & 32 != 0,
      style: try SectionStyle(snapshot: &reader))
  }
}

extension SectionTraits {
  /// One bit each, from the lowest up, in the order in which they are written.
  public var bits: UInt8 {
    let flags = [canAdd, canComplete, canDelete, canReorder, acceptsMoves]
    return flags.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }

  /// - Parameter bits: as ``bits``; further ones mean nothing.
  public init(bits: UInt8) {
    func has(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
    self.init(
      canAdd: has(0), canComplete: has(1), canDelete: has(2), canReorder: has(3),
      acceptsMoves: has(4))
  }
}

extension SectionStyle {
  func writeSnapshot(to writer: inout SnapshotWriter) { writer.json { write(to: &$0) } }

  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    self = try reader.json("a section's style") { fields throws(FieldError) in
      try SectionStyle(fields)
    } write: {
      $0.write(to: &$1)
    }
  }
}
