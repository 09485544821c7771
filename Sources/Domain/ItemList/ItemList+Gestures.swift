internal import EventSourcing

extension ItemList {
  func swipe(
    _ item: ItemID, _ gesture: SwipeGesture, at time: Timestamp
  ) throws(ServiceError) -> ListDecision {
    let (settings, state) = try row(item)
    let direction = gesture.direction
    let side = settings[direction]
    switch SwipeRules.judge(side, extent: gesture.extent, velocity: gesture.velocity) {
    case .closed:
      return Decision([], outcome: .gesture(.closed))
    case .revealed:
      let titles = side.titles(completed: state.contains(.completed))
      return Decision([], outcome: .gesture(.revealed(direction, side, titles: titles)))
    case .triggered(let index):
      let press = PressGesture(direction, button: index)
      return try trigger(press, side.buttons[index], item, state, origin: .swipe, at: time)
    }
  }

  func press(
    _ item: ItemID, _ gesture: PressGesture, at time: Timestamp
  ) throws(ServiceError) -> ListDecision {
    let (settings, state) = try row(item)
    return try trigger(
      gesture, try gesture.button(of: settings), item, state, origin: .press, at: time)
  }

  /// How the row of an item is swiped, and the item's state.
  private func row(
    _ item: ItemID
  ) throws(ServiceError) -> (settings: SwipeSettings, state: State) {
    let target = Targets(item)
    try requireAll(target)
    try require(target, "must not be deleted to be swiped") { !$0.contains(.deleted) }
    let usual = home(item).flatMap { section($0)?.swipe } ?? SwipeSettings()
    return (overrides.settings(of: item.slot, usual: usual), states[item.rawValue])
  }

  private func trigger(
    _ gesture: PressGesture, _ button: SwipeButton, _ item: ItemID, _ state: State,
    origin: GestureOrigin, at time: Timestamp
  ) throws(ServiceError) -> ListDecision {
    if button.action == .more {
      return Decision(
        [], outcome: .gesture(.sheet(.item(item), sheet(item, state))), via: origin.rawValue)
    }
    let change = button.action.itemChange
    let events = try change.map { change throws(ServiceError) in
      try decide(change, Targets(item), at: time).events
    }
    let effect = GestureOutcome.Effect(
      command: change?.rawValue, changed: events?.isEmpty == false,
      removes: events?.first?.removesRow == true,
      place: events?.first?.place(of: item).flatMap { $0 == presentPlace(item) ? nil : $0 })
    return Decision(
      events ?? [], outcome: .gesture(.triggered(gesture, button, effect)), via: origin.rawValue)
  }

  /// Absolute commands only, and only those that the section lets the item do.
  private func sheet(_ item: ItemID, _ state: State) -> [SheetAction] {
    let traits = traits(of: item)
    var actions = [SheetAction(title: "Cancel")]
    if traits.canDelete {
      actions.append(
        .init(title: "Delete", command: ItemChange.delete.rawValue, isDestructive: true))
    }
    if state.contains(.completed) {
      actions.append(.init(title: "Reopen", command: ItemChange.reopen.rawValue))
    } else if traits.canComplete {
      actions.append(.init(title: "Complete", command: ItemChange.complete.rawValue))
    }
    return actions
  }
}

extension ListEvent {
  /// Whether the item's row leaves its list by it.
  fileprivate var removesRow: Bool {
    if case .itemDeleted = self { true } else { false }
  }

  /// Where it puts the item, nil where it leaves it in its place or takes it away.
  fileprivate func place(of item: ItemID) -> ItemPlace? {
    switch self {
    case .itemCompleted(item, let place), .itemReopened(item, let place): place
    default: nil
    }
  }
}

extension SwipeAction {
  /// The absolute command that the action stands for on an item.
  fileprivate var itemChange: ItemChange? {
    switch self {
    case .complete: .complete
    case .reopen: .reopen
    case .delete: .delete
    default: nil
    }
  }
}
