internal import EventSourcing

extension ItemList {
  /// What a snapshot holds, read and checked: whatever the bytes are, no later rule goes wrong on
  /// what is accepted.
  struct SnapshotParts {
    let exists: Bool
    let title: String
    private(set) var sections: [SectionContent?] = []
    private(set) var sectionOrder: [SectionID] = []
    private(set) var removedSections: Set<SectionID> = []
    private(set) var states: [State] = [.purged]
    private(set) var homes: [UInt32]
    private(set) var lanes: [[UInt32]] = [[]]
    private(set) var texts = ItemTexts()
    private(set) var settings: [UInt32: ItemSettings] = [:]
    private(set) var completions: [UInt32: Departure] = [:]
    private(set) var deletions: [UInt32: Departure] = [:]
    private(set) var departureCount = 0
    private(set) var journal = UndoJournal<ListStep>()
    private(set) var overrides = SwipeOverrides()

    init(_ reader: inout SnapshotReader) throws(SnapshotDecodingError) {
      exists = try reader.bool()
      title = try reader.text()
      homes = []
      try readSections(&reader)
      let count = try reader.count(ofSize: 1)
      guard count < UInt32.max else { throw SnapshotDecodingError("it says too many items") }
      states += try reader.raw(count).map { State(rawValue: $0) }
      homes = [UInt32](repeating: 0, count: count + 1)
      for section in sections.indices {
        lanes.append(
          try OrderChain.readLane(UInt32(section + 1), homes: &homes, from: &reader))
      }
      try readTexts(&reader)
      try readSettings(&reader)
      completions = try readDepartures(&reader)
      deletions = try readDepartures(&reader)
      departureCount = try reader.number(upTo: 1 << 62)
      journal = try UndoJournal(snapshot: &reader)
      let states = self.states
      overrides = try SwipeOverrides(snapshot: &reader) { item in
        item < states.count && !states[item].contains(.purged)
      }
      try check()
    }

    private mutating func readSections(
      _ reader: inout SnapshotReader
    ) throws(SnapshotDecodingError) {
      let count = try reader.count(ofSize: 1)
      for _ in 0..<count {
        let bits = try reader.byte()
        if bits == SectionContent.lost {
          sections.append(nil)
          continue
        }
        let isRemoved = bits & SectionContent.removed != 0
        sections.append(
          try SectionContent(bits: bits & ~SectionContent.removed, snapshot: &reader))
        if isRemoved { removedSections.insert(SectionID(sections.count)) }
      }
      var isPlaced = [Bool](repeating: false, count: count + 1)
      let isThere = sections.indices.map { index in
        sections[index] != nil && !removedSections.contains(SectionID(index + 1))
      }
      for _ in 0..<isThere.count(where: \.self) {
        let number = try reader.number(upTo: count)
        guard number > 0, !isPlaced[number], isThere[number - 1] else {
          throw SnapshotDecodingError("a section is unknown, or there twice")
        }
        isPlaced[number] = true
        sectionOrder.append(SectionID(number))
      }
    }

    private mutating func readTexts(_ reader: inout SnapshotReader) throws(SnapshotDecodingError) {
      for state in states.dropFirst() {
        texts.append(state.contains(.purged) ? "" : try reader.text())
      }
    }

    private mutating func readSettings(
      _ reader: inout SnapshotReader
    ) throws(SnapshotDecodingError) {
      let count = try reader.count(ofSize: 2)
      var before = 0
      for _ in 0..<count {
        let item = try reader.number(upTo: states.count - 1)
        guard item > before, !states[item].contains(.purged) else {
          throw SnapshotDecodingError("settings are of no item, or not in order")
        }
        before = item
        settings[UInt32(item)] = try ItemSettings(snapshot: &reader)
      }
    }

    private func readDepartures(
      _ reader: inout SnapshotReader
    ) throws(SnapshotDecodingError) -> [UInt32: Departure] {
      let count = try reader.count(ofSize: 5)
      let lastItem = states.count - 1
      var departures: [UInt32: Departure] = [:]
      departures.reserveCapacity(count)
      var before = 0
      for _ in 0..<count {
        let item = try reader.number(upTo: lastItem)
        guard item > before else { throw SnapshotDecodingError("departures are not in order") }
        before = item
        departures[UInt32(item)] = Departure(
          section: UInt32(try reader.number(upTo: sections.count)),
          above: UInt32(try reader.number(upTo: lastItem)),
          below: UInt32(try reader.number(upTo: lastItem)),
          sequence: try reader.number(upTo: 1 << 62))
      }
      return departures
    }

    private func check() throws(SnapshotDecodingError) {
      guard removedSections.allSatisfy({ lanes[$0.rawValue].isEmpty }) else {
        throw SnapshotDecodingError("a removed section has items")
      }
      for (item, state) in states.enumerated().dropFirst() {
        let isPurged = state == .purged || state == .lost || state == [.purged, .erased]
        let isGone = isPurged || state.contains(.deleted)
        guard isPurged || state.rawValue < 4, (homes[item] == 0) == isGone,
          (deletions[UInt32(item)] != nil) == (!isPurged && isGone),
          completions[UInt32(item)] == nil || !isPurged && state.contains(.completed)
        else {
          throw SnapshotDecodingError("item \(item)'s state is none, or not that of its place")
        }
      }
      for departure in [completions, deletions].joined().map(\.value) {
        guard departure.sequence <= departureCount, departure.section > 0 else {
          throw SnapshotDecodingError("an item left from nowhere")
        }
      }
    }
  }
}
