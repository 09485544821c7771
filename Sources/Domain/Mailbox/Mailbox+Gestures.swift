internal import EventSourcing

extension Mailbox {
  func swipe(_ mail: MailID, _ gesture: SwipeGesture) throws(ServiceError) -> MailDecision {
    let state = try stateOfRow(mail)
    let direction = gesture.direction
    let side = swipeSettings(of: mail)[direction]
    switch SwipeRules.judge(side, extent: gesture.extent, velocity: gesture.velocity) {
    case .closed:
      return Decision([], outcome: .gesture(.closed))
    case .revealed:
      let titles = side.titles(read: state.contains(.read), flag: state.contains(.flagged))
      return Decision([], outcome: .gesture(.revealed(direction, side, titles: titles)))
    case .triggered(let index):
      let press = PressGesture(direction, button: index)
      return try trigger(press, side.buttons[index], mail, state, origin: .swipe)
    }
  }

  func press(_ mail: MailID, _ gesture: PressGesture) throws(ServiceError) -> MailDecision {
    let state = try stateOfRow(mail)
    let button = try gesture.button(of: swipeSettings(of: mail))
    return try trigger(gesture, button, mail, state, origin: .press)
  }

  /// How the mail's row is swiped: as it says itself, else as all rows are.
  func swipeSettings(of mail: MailID) -> SwipeSettings {
    overrides.settings(of: mail.slot, usual: swipe)
  }

  /// The state of a mail whose row can be in sight.
  private func stateOfRow(_ mail: MailID) throws(ServiceError) -> State {
    let target = Targets(mail)
    try requireAll(target)
    try require(target, "must not be in the trash to be swiped") { !$0.contains(.trashed) }
    return states[mail.rawValue]
  }

  private func trigger(
    _ gesture: PressGesture, _ button: SwipeButton, _ mail: MailID, _ state: State,
    origin: GestureOrigin
  ) throws(ServiceError) -> MailDecision {
    if button.action == .more {
      return Decision([], outcome: .gesture(.sheet(.mail(mail), Self.sheet)), via: origin.rawValue)
    }
    guard let change = button.action.change(on: state) else {
      let nothing = GestureOutcome.Effect(command: nil, changed: false, removes: false)
      return Decision(
        [], outcome: .gesture(.triggered(gesture, button, nothing)), via: origin.rawValue)
    }
    let changes = change.changes(mail, state)
    let effect = GestureOutcome.Effect(
      command: change.rawValue, changed: changes, removes: changes && change.removesRow)
    return change.decision(
      mail, state, outcome: .gesture(.triggered(gesture, button, effect)), via: origin.rawValue)
  }

  /// Absolute commands only: a choice means the same whatever happened since the sheet came up.
  private static let sheet: [SheetAction] = [
    .init(title: "Cancel"),
    .init(title: "Trash", command: MailChange.trash.rawValue, isDestructive: true),
    .init(title: "Mark as unread", command: MailChange.markUnread.rawValue),
    .init(title: "Mark as read", command: MailChange.markRead.rawValue),
    .init(title: "Flag", command: MailChange.flag.rawValue),
  ]
}

extension MailChange {
  /// Whether the mail's row leaves its table by it.
  fileprivate var removesRow: Bool {
    switch self {
    case .trash, .restore, .purge, .archive, .unarchive, .unsnooze: true
    case .markRead, .markUnread, .flag, .unflag, .pin, .unpin: false
    }
  }
}

extension SwipeAction {
  /// The absolute command that the action stands for on a mail in this state.
  fileprivate func change(on state: Mailbox.State) -> MailChange? {
    switch self {
    case .toggleRead: state.contains(.read) ? .markUnread : .markRead
    case .toggleFlag: state.contains(.flagged) ? .unflag : .flag
    case .markRead: .markRead
    case .markUnread: .markUnread
    case .flag: .flag
    case .unflag: .unflag
    case .trash: .trash
    case .archive: .archive
    case .complete, .reopen, .delete, .more, .none: nil
    }
  }
}
