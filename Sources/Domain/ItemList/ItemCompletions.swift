internal import EventSourcing

/// Completes items one after another, each with the next one where it repeats.
///
/// An item goes to the end of the section for completed items, if there is one and it is not there
/// already; else it stays. The next one takes its place: it goes directly below what the completed
/// one was below, whatever the section's traits forbid, since the item was in it before.
struct ItemCompletions {
  private let list: ItemList
  private let time: Timestamp
  private let section: SectionID?
  /// The last item of that section.
  private var last: ItemID?
  private var nextItem: ItemID
  /// By item that has left its place, what is above that place now. Kept only where next items may
  /// be put among what was there before.
  private var standing: [UInt32: UInt32] = [:]
  private let isTracking: Bool
  /// What the next items' texts have together.
  private var copiedBytes = 0

  private(set) var events: [ListEvent] = []
  private(set) var next: [ItemID: NextItem] = [:]

  init(in list: ItemList, at time: Timestamp) {
    self.list = list
    self.time = time
    section = list.completedSection
    last = section.flatMap { .optional(slot: list.order.last(in: $0.rawValue)) }
    nextItem = list.nextItem
    isTracking = !list.settings.isEmpty
  }

  /// - Parameter item: an open item that is not deleted.
  mutating func complete(_ item: ItemID) throws(ServiceError) {
    let home = SectionID(slot: list.homes[item.rawValue])
    let above = resolve(list.order.number(before: item.slot))
    let place = ItemPlace(section: home, after: .optional(slot: above))
    let leaves = section.map { $0 != home } ?? false
    if leaves, let section {
      events.append(.itemCompleted(item, ItemPlace(section: section, after: last)))
      last = item
    } else {
      events.append(.itemCompleted(item, place))
    }
    let successor = try addNext(of: item, at: place)
    if leaves, isTracking { standing[item.slot] = successor?.slot ?? above }
  }

  private mutating func addNext(
    of item: ItemID, at place: ItemPlace
  ) throws(ServiceError) -> ItemID? {
    guard let settings = list.settings[item.slot]?.next(completedAt: time), let due = settings.due
    else { return nil }
    let new = nextItem
    guard new.slot != 0 else { throw ItemList.noNumbersLeft }
    nextItem = ItemID(new.rawValue + 1)
    let text = list.texts[item]
    copiedBytes += text.utf8.count
    try BulkLimit.check(textBytes: copiedBytes)
    events.append(.itemAdded(new, text: text, place, settings))
    next[item] = NextItem(new, due: due)
    return new
  }

  /// What is in an item's place now: the item, or what is above the place that it has left.
  private mutating func resolve(_ item: UInt32) -> UInt32 {
    var found = item
    while let above = standing[found] { found = above }
    // So that nobody goes the same way twice.
    var step = item
    while let above = standing[step] {
      standing[step] = found
      step = above
    }
    return found
  }
}
