internal import EventSourcing
internal import FastJSON

/// The swipe settings that single rows have of their own, by row number.
///
/// A row may have one side of its own; the other is then as everywhere in its table, now and after
/// every later configuration of that.
struct SwipeOverrides: Sendable, Equatable {
  /// How many rows of a stream may have settings of their own: each takes about a kilobyte of memory.
  static let limit = 10_000

  private var byRow: [UInt32: SwipeConfiguration] = [:]
  /// What the settings take.
  private var bytes = 0

  var memoryFootprint: Int { byRow.capacity * 600 + bytes }

  /// What the row has of its own, nil for nothing.
  subscript(row: UInt32) -> SwipeConfiguration? { byRow.isEmpty ? nil : byRow[row] }

  /// How the row is swiped where its table is swiped as `usual` says.
  func settings(of row: UInt32, usual: SwipeSettings) -> SwipeSettings {
    self[row]?.applied(to: usual) ?? usual
  }

  /// Gives a row sides of its own in place of those that it has; none for nil.
  mutating func set(_ row: UInt32, _ sides: SwipeConfiguration?) {
    guard sides != nil || !byRow.isEmpty else { return }
    bytes += (sides?.buttonBytes ?? 0) - (byRow[row]?.buttonBytes ?? 0)
    byRow[row] = sides
  }

  /// Refuses one row too many.
  func requireRoom(for row: UInt32) throws(ServiceError) {
    guard byRow.count < Self.limit || self[row] != nil else {
      throw ServiceError(
        .rejected,
        "\(Self.limit) rows have swipe settings of their own, which is as many as may: clear some, "
          + "or configure all rows together")
    }
  }
}

extension SwipeConfiguration {
  /// About how many bytes of memory the buttons take.
  var buttonBytes: Int {
    [leftToRight, rightToLeft].lazy.compactMap(\.self).flatMap(\.buttons).reduce(0) {
      $0 + MemoryLayout<SwipeButton>.stride
        + ($1.titles.map { $0.on.utf8.count + $0.off.utf8.count } ?? 0)
    }
  }
}

extension SwipeConfiguration {
  /// What a row's own sides become by it.
  func applied(to present: SwipeConfiguration?) -> SwipeConfiguration {
    SwipeConfiguration(
      leftToRight: leftToRight ?? present?.leftToRight,
      rightToLeft: rightToLeft ?? present?.rightToLeft)
  }
}

extension SwipeOverrides {
  /// Writes the number of rows, then each row's number and its sides as JSON behind its length, in
  /// the order of the numbers.
  func writeSnapshot(to writer: inout SnapshotWriter) {
    writer.number(byRow.count)
    for (row, configuration) in byRow.sorted(by: { $0.key < $1.key }) {
      writer.number(row)
      configuration.writeSnapshot(to: &writer)
    }
  }

  /// - Parameter isRow: whether there is a row with the number.
  init(
    snapshot reader: inout SnapshotReader, isRow: (Int) -> Bool
  ) throws(SnapshotDecodingError) {
    let count = try reader.count(ofSize: 2)
    var before = 0
    for _ in 0..<count {
      let row = try reader.number(upTo: Int(UInt32.max))
      guard row > before, isRow(row) else {
        throw SnapshotDecodingError("swipe settings are of no row, or not in order")
      }
      before = row
      let configuration = try SwipeConfiguration(snapshot: &reader)
      guard configuration != SwipeConfiguration() else {
        throw SnapshotDecodingError("a row's swipe settings are empty")
      }
      set(UInt32(row), configuration)
    }
  }
}
