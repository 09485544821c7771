internal import EventSourcing

extension ItemList {
  /// The targets as ids; nil where a selection covers none of them.
  ///
  /// - Parameter isMeant: whether the command can be meant for an item in this state. What is named
  ///   by its id, or by its section, is left to the command's own rules.
  func resolve(
    _ targets: Targets<ItemID>, where isMeant: (State) -> Bool
  ) throws(ServiceError) -> Targets<ItemID>? {
    guard let selection = targets.selection else { return targets }
    let section = try section(of: selection)
    func isCovered(_ item: ItemID) -> Bool {
      guard let state = state(item) else { return false }
      return section.map { home(item) == $0 } ?? isMeant(state)
    }
    return Targets(
      set: selection.ids(upTo: states.count - 1, thread: { _ in nil }, where: isCovered))
  }

  private func section(of selection: Selection<ItemID>) throws(ServiceError) -> SectionID? {
    guard case .all(let place?) = selection else { return nil }
    guard case .number(let number) = place else {
      throw ServiceError(.invalid, "'in' must be a section's number")
    }
    let section = SectionID(number)
    _ = try require(section)
    return section
  }
}

extension ItemChange {
  /// Whether a selection is meant to cover an item in this state.
  func isMeant(for state: ItemList.State) -> Bool {
    switch self {
    case .restore, .purge: state.contains(.deleted)
    case .complete, .reopen, .delete: !state.contains(.deleted)
    }
  }
}
