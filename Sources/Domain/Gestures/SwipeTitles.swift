extension SwipeSide {
  /// The buttons' titles on a mail's row, outermost first.
  public func titles(read: Bool, flag: Bool) -> [String] {
    buttons.map { $0.title(read: read, flag: flag) }
  }

  /// The buttons' titles on an item's row, outermost first.
  public func titles(completed: Bool) -> [String] {
    buttons.map { $0.title(completed: completed) }
  }
}

extension SwipeButton {
  /// The title on the row of a mail in this state.
  public func title(read: Bool, flag: Bool) -> String {
    let holds =
      switch action {
      case .toggleRead, .markRead, .markUnread: read
      case .toggleFlag, .flag, .unflag: flag
      default: false
      }
    return title(holds: holds)
  }

  /// The title on the row of an item in this state.
  public func title(completed: Bool) -> String {
    title(holds: completed && (action == .complete || action == .reopen))
  }

  private func title(holds: Bool) -> String {
    if let titles { return holds ? titles.on : titles.off }
    return action.title(holds: holds)
  }
}

extension SwipeAction {
  /// What the action would do now, in words; `holds` is whether its state does already.
  fileprivate func title(holds: Bool) -> String {
    switch self {
    case .toggleRead: holds ? "Mark as unread" : "Mark as read"
    case .toggleFlag: holds ? "Unflag" : "Flag"
    case .markRead: "Mark as read"
    case .markUnread: "Mark as unread"
    case .flag: "Flag"
    case .unflag: "Unflag"
    case .trash: "Trash"
    case .archive: "Archive"
    case .complete: "Complete"
    case .reopen: "Reopen"
    case .delete: "Delete"
    case .more: "More"
    case .none: ""
    }
  }
}
