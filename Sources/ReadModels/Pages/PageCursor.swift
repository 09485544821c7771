internal import EventSourcing

/// Where a page ended: behind which row, with what tells whether that row and the keys around it
/// have stayed where they were.
///
/// A row's key says where to go on whatever becomes of the row, as long as no other row's move
/// changed keys (`epoch`). Where one did, the row's present key does, unless the row was itself
/// moved since (`revision`).
struct PageCursor: Equatable {
  /// The view's key epoch; nil from the fold, which has no keys.
  var epoch: Int?
  /// The stream's revision on the page.
  var revision: Int
  /// A list's section; 0 in a mailbox.
  var section = 0
  var sectionKey = 0
  /// The mail or item; 0 for a section without items.
  var row: Int
  var key = 0

  static let invalid = ServiceError(
    .invalid, "'cursor' must be what an earlier page of this view gave")

  init(
    epoch: Int?, revision: Int, section: Int = 0, sectionKey: Int = 0, row: Int, key: Int = 0
  ) {
    self.epoch = epoch
    self.revision = revision
    self.section = section
    self.sectionKey = sectionKey
    self.row = row
    self.key = key
  }

  init(_ text: String) throws(ServiceError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard parts.count == 6, numbers.count == 6, numbers[0] >= -1,
      [1, 2, 4].allSatisfy({ numbers[$0] >= 0 })
    else { throw Self.invalid }
    self.init(
      epoch: numbers[0] < 0 ? nil : numbers[0], revision: numbers[1], section: numbers[2],
      sectionKey: numbers[3], row: numbers[4], key: numbers[5])
  }

  var text: String {
    [epoch ?? -1, revision, section, sectionKey, row, key].map(String.init)
      .joined(separator: ".")
  }
}
