/// The rows of a table that the latest events were about: each is read from the file once and
/// written once a transaction at most, and only if it ends as another than it began.
///
/// What is kept from one transaction to the next is what the file holds, so that a row need not be
/// read again. Once a transaction is rolled back nothing may be kept: see ``discard()``.
struct RowBuffer<Row: Equatable> {
  private struct Entry {
    var row: Row
    /// As the file has it, within the open transaction.
    var stored: Row
  }

  private var entries: [Int: Entry] = [:]
  /// The rows that may differ from the file's; one may be named more than once.
  private var changed: [Int] = []

  /// How many rows are kept from one transaction to the next.
  private static var limit: Int { 50_000 }

  /// The row as it is now, read with `read` where it is not known; nil where there is none.
  mutating func row(
    _ id: Int, read: (Int) throws(ReadModelError) -> Row?
  ) throws(ReadModelError) -> Row? {
    if let entry = entries[id] { return entry.row }
    guard let stored = try read(id) else { return nil }
    entries[id] = Entry(row: stored, stored: stored)
    return stored
  }

  /// Changes a row that ``row(_:read:)`` gave.
  mutating func change(_ id: Int, to row: Row) {
    guard let index = entries.index(forKey: id) else {
      preconditionFailure("a row is changed that was not looked at")
    }
    if entries.values[index].row == entries.values[index].stored { changed.append(id) }
    entries.values[index].row = row
  }

  /// Takes in a row that was just written to the file.
  mutating func add(_ id: Int, _ row: Row) { entries[id] = Entry(row: row, stored: row) }

  /// Forgets a row that was just deleted from the file.
  mutating func remove(_ id: Int) { entries[id] = nil }

  /// Writes the changed rows, in the file's order.
  mutating func write(
    _ body: (_ id: Int, _ row: Row, _ stored: Row) throws(ReadModelError) -> Void
  ) throws(ReadModelError) {
    if changed.isEmpty { return }
    changed.sort()
    for id in changed {
      guard let index = entries.index(forKey: id) else { continue }
      let entry = entries.values[index]
      guard entry.row != entry.stored else { continue }
      try body(id, entry.row, entry.stored)
      entries.values[index].stored = entry.row
    }
    changed.removeAll(keepingCapacity: true)
  }

  /// Bounds what is kept, between transactions.
  mutating func trim() {
    if entries.count > Self.limit { entries.removeAll(keepingCapacity: true) }
  }

  /// Forgets all: the file does not hold what it was taken to hold.
  mutating func discard() {
    entries = [:]
    changed = []
  }
}
