/// Orders of rows that are known in memory, so that a row's neighbours are found without a look into
/// the file: linked lists in one table, each by a number, its scope.
///
/// An order is known from its beginning, when it has no rows, or not at all. Where it is not known,
/// inserting and removing its rows does nothing.
struct KnownOrders {
  /// No row has this number.
  private static var none: Int { -1 }

  private struct Links {
    var above: Int
    var below: Int
  }

  private var links = RowTable<Links>()
  /// By scope, the row on top.
  private var firsts = RowTable<Int>()

  /// How many rows and orders there are.
  var count: Int { links.count + firsts.count }

  /// Takes in an order that has no rows.
  mutating func begin(_ scope: Int) { firsts.set(scope, to: Self.none) }

  func isKnown(_ scope: Int) -> Bool { firsts.place(of: scope) != nil }

  /// The row on top of a known order.
  func first(in scope: Int) -> Int? { firsts.place(of: scope).flatMap { row(firsts[place: $0]) } }

  func above(_ row: Int) -> Int? {
    links.place(of: row).flatMap { self.row(links[place: $0].above) }
  }

  func below(_ row: Int) -> Int? {
    links.place(of: row).flatMap { self.row(links[place: $0].below) }
  }

  private func row(_ number: Int) -> Int? { number == Self.none ? nil : number }

  /// Puts `row`, which is in no order, directly below `anchor`, which is in this one, or on top.
  mutating func insert(_ row: Int, below anchor: Int?, in scope: Int) {
    guard let top = firsts.place(of: scope) else { return }
    let below: Int
    if let anchor {
      guard let place = links.place(of: anchor) else {
        preconditionFailure("a row is put below one that is not in the order")
      }
      below = links[place: place].below
      links[place: place].below = row
    } else {
      below = firsts[place: top]
      firsts[place: top] = row
    }
    if let place = links.place(of: below) { links[place: place].above = row }
    links.set(row, to: Links(above: anchor ?? Self.none, below: below))
  }

  /// Takes `row` out of its order.
  mutating func remove(_ row: Int, from scope: Int) {
    guard let top = firsts.place(of: scope), let place = links.place(of: row) else { return }
    let (above, below) = (links[place: place].above, links[place: place].below)
    if let place = links.place(of: above) {
      links[place: place].below = below
    } else {
      firsts[place: top] = below
    }
    if let place = links.place(of: below) { links[place: place].above = above }
    links.remove(row)
  }

  /// Knows no order any more.
  mutating func removeAll() {
    links.removeAll()
    firsts.removeAll()
  }
}
