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

  private var entries = RowTable<Entry>()
  /// The rows that may differ from the file's; one may be named more than once.
  private var changed: [Int] = []

  /// How many rows are kept from one transaction to the next.
  private static var limit: Int { 150_000 }

  /// The row as it is now, read with `read` where it is not known; nil where there is none.
  mutating func row(
    _ id: Int, read: (Int) throws(ReadModelError) -> Row?
  ) throws(ReadModelError) -> Row? {
    if let place = entries.place(of: id) { return entries[place: place].row }
    guard let stored = try read(id) else { return nil }
    add(id, stored)
    return stored
  }

  /// Changes a row that ``row(_:read:)`` gave.
  mutating func change(_ id: Int, to row: Row) {
    guard let place = entries.place(of: id) else {
      preconditionFailure("a row is changed that was not looked at")
    }
    var entry = entries[place: place]
    if entry.row == entry.stored { changed.append(id) }
    entry.row = row
    entries[place: place] = entry
  }

  /// Takes in a row that was just written to the file.
  mutating func add(_ id: Int, _ row: Row) { entries.set(id, to: Entry(row: row, stored: row)) }

  /// Forgets a row that was just deleted from the file.
  mutating func remove(_ id: Int) { entries.remove(id) }

  /// Writes the changed rows, in the file's order.
  mutating func write(
    _ body: (_ id: Int, _ row: Row, _ stored: Row) throws(ReadModelError) -> Void
  ) throws(ReadModelError) {
    if changed.isEmpty { return }
    changed.sort()
    for id in changed {
      guard let place = entries.place(of: id) else { continue }
      var entry = entries[place: place]
      guard entry.row != entry.stored else { continue }
      try body(id, entry.row, entry.stored)
      entry.stored = entry.row
      entries[place: place] = entry
    }
    changed.removeAll(keepingCapacity: true)
  }

  /// Bounds what is kept, between transactions.
  mutating func trim() {
    if entries.count > Self.limit { entries.removeAll() }
  }

  /// Forgets all: the file does not hold what it was taken to hold.
  mutating func discard() {
    entries.removeAll()
    changed = []
  }
}
