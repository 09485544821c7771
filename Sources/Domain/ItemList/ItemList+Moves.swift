internal import EventSourcing

/// Whether items may move: what `reorder` and a drag ask.
extension ItemList {
  /// Refuses the command where one of the items may not be moved to some place in the section; within
  /// its own section, too.
  ///
  /// - Parameters:
  ///   - items: there is each of them.
  ///   - target: a section of the list.
  func requireMoves(_ items: [ItemID], into target: SectionID) throws(ServiceError) {
    let destination = try require(target)
    try reject(
      items.filter { home($0) == nil }, "must not be deleted to be moved")
    try reject(
      items.filter { settings[$0.slot]?.movable == false },
      "may not be moved: it is fixed in its place ('movable' is false)")
    let crossing = items.filter { home($0) != target }
    try reject(
      crossing.filter { destination.completedRole || isInCompletedSection($0) },
      "may not be moved in or out of the section of completed items")
    if !destination.traits.acceptsMoves {
      try reject(crossing, "may not be moved into section \(target): 'acceptsMoves' is false")
    }
    try reject(
      items.filter { !traits(of: $0).canReorder },
      "may not be moved in this section: 'canReorder' is false")
  }

  private func isInCompletedSection(_ item: ItemID) -> Bool {
    home(item).flatMap { section($0)?.completedRole } ?? false
  }
}
