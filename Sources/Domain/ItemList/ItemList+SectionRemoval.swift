internal import EventSourcing

/// Removing a section, and what becomes of its items.
///
/// Its own `canReorder`, and that an item is fixed in its place, do not hold it back: the places go
/// with the section. The section for completed items goes like any other; what was completed stays
/// so wherever it is moved to, and from then on items are completed where they are.
extension ItemList {
  func removeSection(
    _ section: SectionID, _ fate: SectionItems?
  ) throws(ServiceError) -> ListDecision {
    let content = try require(section)
    let items = items(of: section)
    var events: [ListEvent]
    switch fate {
    case nil:
      guard items.isEmpty else { throw needsItems(section, items.count) }
      events = []
    case .delete:
      if !content.traits.canDelete {
        try reject(items, "may not be deleted in this section: 'canDelete' is false")
      }
      events = items.map { .itemDeleted($0) }
    case .move(let target):
      events = try moves(of: items, from: section, to: target)
    }
    events.append(.sectionRemoved(section))
    return Decision(events, outcome: .done)
  }

  private func needsItems(_ section: SectionID, _ count: Int) -> ServiceError {
    ServiceError(
      .rejected,
      """
      section \(section) has \(count) item\(count == 1 ? "" : "s"): say what becomes of \
      \(count == 1 ? "it" : "them") by 'items', which is 'move' (with 'to', another section) or \
      'delete'
      """, ids: [section.rawValue])
  }

  private func moves(
    of items: [ItemID], from section: SectionID, to target: SectionID
  ) throws(ServiceError) -> [ListEvent] {
    guard target != section else {
      throw ServiceError(.invalid, "'to' must be another section than the one that is removed")
    }
    let destination = try require(target)
    if destination.completedRole {
      try reject(items, "may not be moved into the section of completed items")
    }
    if !destination.traits.acceptsMoves {
      try reject(items, "may not be moved into section \(target): 'acceptsMoves' is false")
    }
    var last = ItemID.optional(slot: order.last(in: target.rawValue))
    return items.map { item in
      defer { last = item }
      return .itemMoved(item, ItemPlace(section: target, after: last))
    }
  }

  /// The items that a section holds, in order.
  func items(of section: SectionID) -> [ItemID] {
    var items: [ItemID] = []
    var item = order.first(in: section.rawValue)
    while item != 0 {
      items.append(ItemID(slot: item))
      item = order.number(after: item)
    }
    return items
  }
}
