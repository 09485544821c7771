/// Where items go that come back from being completed or deleted, one decided after another.
///
/// Each goes back below the item that it was below, or else above the one that it was above, or
/// else to the end of its section; where that is gone, to the end of the first section that is not
/// for completed items. Within one batch who left last returns first, which rebuilds the old order
/// exactly where nothing else has changed.
struct ItemReturns {
  private let list: ItemList
  private var placed: [UInt32: UInt32] = [:]
  private var above: [UInt32: UInt32] = [:]
  private var below: [UInt32: UInt32] = [:]
  private var firsts: [UInt32: UInt32] = [:]
  private var lasts: [UInt32: UInt32] = [:]

  init(to list: ItemList) { self.list = list }

  /// The item's place; nil where no section can take it.
  mutating func place(_ item: ItemID, from departure: ItemList.Departure) -> ItemPlace? {
    // A completed item is somewhere: where it is now must not be what it is put next to.
    takeOut(item.slot)
    guard let place = oldPlace(departure) ?? fallback() else { return nil }
    put(item.slot, place)
    return place
  }

  private func oldPlace(_ departure: ItemList.Departure) -> ItemPlace? {
    let section = SectionID(slot: departure.section)
    guard list.section(section) != nil else { return nil }
    let after =
      if home(departure.above) == departure.section {
        departure.above
      } else if home(departure.below) == departure.section {
        number(above: departure.below)
      } else {
        last(in: departure.section)
      }
    return ItemPlace(section: section, after: .optional(slot: after))
  }

  private func fallback() -> ItemPlace? {
    let section = list.sectionOrder.first { list.section($0)?.completedRole == false }
    return section.map { ItemPlace(section: $0, after: .optional(slot: last(in: $0.slot))) }
  }

  /// The section that holds the item, 0 for none.
  private func home(_ item: UInt32) -> UInt32 { placed[item] ?? list.homes[Int(item)] }

  private func number(above item: UInt32) -> UInt32 {
    above[item] ?? list.order.number(before: item)
  }

  private func number(below item: UInt32) -> UInt32 {
    below[item] ?? list.order.number(after: item)
  }

  private func first(in section: UInt32) -> UInt32 {
    firsts[section] ?? list.order.first(in: Int(section))
  }

  private func last(in section: UInt32) -> UInt32 {
    lasts[section] ?? list.order.last(in: Int(section))
  }

  private mutating func takeOut(_ item: UInt32) {
    let section = home(item)
    guard section != 0 else { return }
    let (above, below) = (number(above: item), number(below: item))
    placed[item] = 0
    if above == 0 { firsts[section] = below } else { self.below[above] = below }
    if below == 0 { lasts[section] = above } else { self.above[below] = above }
  }

  private mutating func put(_ item: UInt32, _ place: ItemPlace) {
    let section = place.section.slot
    let anchor = place.after?.slot ?? 0
    let follower = anchor == 0 ? first(in: section) : number(below: anchor)
    placed[item] = section
    above[item] = anchor
    below[item] = follower
    if anchor == 0 { firsts[section] = item } else { below[anchor] = item }
    if follower == 0 { lasts[section] = item } else { above[follower] = item }
  }
}
