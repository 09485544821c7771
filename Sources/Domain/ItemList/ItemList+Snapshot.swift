public import EventSourcing

/// A list as bytes: whether it exists (1 byte); its title; the number of sections, and of each its
/// traits (1 byte, 255 and nothing more for a lost one), header, footer, and its swipe settings as
/// JSON; the sections' numbers in their order; the number of items and a state byte for each; each
/// section's items in their order; the texts of all but purged items; where completed and where
/// deleted items were; how many have left; what can be taken back; the swipe settings that single items
/// have. Texts and JSON are behind their length, and behind a byte
/// that says whether they are there where they may be missing.
extension ItemList {
  public static let snapshotVersion: UInt32 = 2

  public var memoryFootprint: Int {
    let departure = 4 + MemoryLayout<Departure>.stride
    return states.capacity + homes.capacity * 4 + texts.memoryFootprint + order.memoryFootprint
      + (completions.capacity + deletions.capacity) * departure * 4 / 3
      + title.utf8.count + journal.memoryFootprint + overrides.memoryFootprint
      + sections.count * (SwipeSettings.memoryFootprint + 512)
  }

  public func writeSnapshot(to writer: inout SnapshotWriter) {
    writer.bool(exists)
    writer.text(title)
    writer.number(sections.count)
    for section in sections {
      guard let section else {
        writer.byte(SectionContent.lost)
        continue
      }
      writer.byte(section.traitBits)
      writer.text(nullable: section.header)
      writer.text(nullable: section.footer)
      section.swipe.writeSnapshot(to: &writer)
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

  /// The traits from the lowest bit up, then whether it is for completed items.
  fileprivate var traitBits: UInt8 {
    let flags = [
      traits.canAdd, traits.canComplete, traits.canDelete, traits.canReorder, traits.acceptsMoves,
      completedRole,
    ]
    return flags.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }

  /// - Parameter bits: the traits, read before.
  init(bits: UInt8, snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    guard bits < 64 else { throw SnapshotDecodingError("a section has unknown traits") }
    func has(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
    self.init(
      header: try reader.nullableText(), footer: try reader.nullableText(),
      traits: SectionTraits(
        canAdd: has(0), canComplete: has(1), canDelete: has(2), canReorder: has(3),
        acceptsMoves: has(4)),
      swipe: try SwipeSettings(snapshot: &reader), completedRole: has(5))
  }
}
