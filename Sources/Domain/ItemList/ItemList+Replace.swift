internal import EventSourcing

extension ItemList {
  /// Makes a section's items those with these texts, in this order.
  ///
  /// An item whose text is among them stays, with its state: of equal texts the first goes to the
  /// first, and so on. The others are deleted, what is missing is added, and of those that stay as
  /// few as possible move.
  func replace(_ section: SectionID, _ texts: [String]) throws(ServiceError) -> ListDecision {
    let content = try require(section)
    let present = items(of: section)
    let plan = plan(texts, among: present)
    if !content.traits.canDelete {
      try reject(plan.missing, "may not be deleted in this section: 'canDelete' is false")
    }
    if !content.traits.canAdd, plan.items.contains(nil) {
      throw ServiceError(.rejected, "section \(section) takes no new items: 'canAdd' is false")
    }
    let staying = try staying(of: plan.items.compactMap(\.self), in: section, content)
    var events: [ListEvent] = plan.missing.map { .itemDeleted($0) }
    var order: [ItemID] = []
    var next = nextItem
    for (item, text) in zip(plan.items, texts) {
      let place = ItemPlace(section: section, after: order.last)
      if let item {
        if !staying.contains(item) { events.append(.itemMoved(item, place)) }
        order.append(item)
      } else {
        guard next.slot != 0 else { throw Self.noNumbersLeft }
        events.append(.itemAdded(next, text: text, place))
        order.append(next)
        next = ItemID(next.rawValue + 1)
      }
    }
    return Decision(events, outcome: .replaced(order))
  }

  /// For each text the item that has it, nil where a new one is needed; and the items that are left
  /// over.
  private func plan(
    _ texts: [String], among present: [ItemID]
  ) -> (items: [ItemID?], missing: [ItemID]) {
    // By bytes, as a text is: two strings are equal that are not spelt alike.
    var waiting: [[UInt8]: [ItemID]] = [:]
    for item in present.reversed() {
      waiting[Array(self.texts[item].utf8), default: []].append(item)
    }
    let items = texts.map { waiting[Array($0.utf8)]?.popLast() }
    let used = Set(items.lazy.compactMap(\.self))
    return (items, present.filter { !used.contains($0) })
  }

  /// Those of `wanted`, in the order that is wanted, that need not move; fixed ones are among them.
  private func staying(
    of wanted: [ItemID], in section: SectionID, _ content: SectionContent
  ) throws(ServiceError) -> Set<ItemID> {
    func isFixed(_ item: ItemID) -> Bool { settings[item.slot]?.movable == false }
    let fixed = wanted.filter(isFixed)
    let turned = zip(fixed, fixed.dropFirst()).filter { !order.precedes($0.slot, $1.slot) }
    try reject(
      turned.map(\.1), "would be moved, but it is fixed in its place ('movable' is false)")
    let rising = longestRise(among: wanted, around: fixed)
    if rising.count < wanted.count, !content.traits.canReorder {
      try reject(
        wanted.filter { !rising.contains($0) },
        "may not be moved in this section: 'canReorder' is false")
    }
    return rising
  }

  /// The most items that are in the section in the order that is wanted, all fixed ones among them.
  private func longestRise(among wanted: [ItemID], around fixed: [ItemID]) -> Set<ItemID> {
    // What stays has to be on the same side of each fixed item, now and then.
    var above: ItemID?
    var rest = fixed[...]
    let able = wanted.filter { item in
      if item == rest.first {
        above = rest.removeFirst()
        return true
      }
      return (above.map { order.precedes($0.slot, item.slot) } ?? true)
        && (rest.first.map { order.precedes(item.slot, $0.slot) } ?? true)
    }
    // By length, the index of the item that ends the rise of that length that ends highest up.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: able.count)
    for (index, item) in able.enumerated() {
      let length = ends.leading { order.precedes(able[$0].slot, item.slot) }
      previous[index] = length > 0 ? ends[length - 1] : nil
      if length == ends.count { ends.append(index) } else { ends[length] = index }
    }
    var rising: Set<ItemID> = []
    var step = ends.last
    while let index = step {
      rising.insert(able[index])
      step = previous[index]
    }
    return rising
  }
}

extension [Int] {
  /// How many elements from the beginning hold, where all that do come first.
  fileprivate func leading(where holds: (Int) -> Bool) -> Int {
    var (lower, upper) = (0, count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if holds(self[middle]) { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }
}
