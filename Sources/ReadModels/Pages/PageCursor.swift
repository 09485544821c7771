internal import EventSourcing

/// Where a page ended: behind which row.
///
/// The row's present key says where to go on, as another row's move may have changed it. Where the
/// row was itself moved since (which `revision` tells) or is gone, the key that it had does.
struct PageCursor: Equatable {
  /// The stream's revision on the page.
  var revision: Int
  /// A list's section; in a mailbox 1 among the pinned mails, which come first, and 0 behind them.
  var section = 0
  /// The mail or item; 0 behind a section without items.
  var row: Int
  /// The row's order key; nil from the fold, which has none.
  var key: Int?

  static let invalid = ServiceError(
    .invalid, "'cursor' must be what an earlier page of this view gave")

  init(revision: Int, section: Int = 0, row: Int, key: Int? = nil) {
    self.revision = revision
    self.section = section
    self.row = row
    self.key = key
  }

  init(revision: Int, isAmongPinned: Bool, mail: Int, key: Int? = nil) {
    self.init(revision: revision, section: isAmongPinned ? 1 : 0, row: mail, key: key)
  }

  /// In a mailbox.
  var isAmongPinned: Bool { section == 1 }

  init(_ text: String) throws(ServiceError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard (3...4).contains(parts.count), numbers.count == parts.count,
      numbers.prefix(3).allSatisfy({ RowID.numbers.contains($0) })
    else { throw Self.invalid }
    self.init(
      revision: numbers[0], section: numbers[1], row: numbers[2],
      key: numbers.count == 4 ? numbers[3] : nil)
  }

  var text: String {
    ([revision, section, row] + (key.map { [$0] } ?? [])).map(String.init).joined(separator: ".")
  }

  /// The key to go on behind, from what the row's columns say now; nil where nothing tells.
  func place(presentKey: Int?, moved: Int) -> Int? {
    if let presentKey, moved <= revision || key == nil { return presentKey }
    return key
  }
}
