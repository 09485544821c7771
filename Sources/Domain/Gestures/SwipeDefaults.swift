extension SwipeSettings {
  /// How a mailbox's rows are swiped until it is configured: a long swipe to the right toggles
  /// read; to the left are trash (also by a long swipe, and then the row is gone rather than
  /// springing back), flag, and more, which keeps the row open.
  public static let mailboxDefault = SwipeSettings(
    leftToRight: SwipeSide(
      buttons: [SwipeButton(action: .toggleRead, color: "#007AFF")],
      transition: .rotate3D,
      expansion: SwipeExpansion(button: 0, threshold: 2)),
    rightToLeft: SwipeSide(
      buttons: [
        SwipeButton(action: .trash, color: "#FF3B32", padding: 15, closes: false),
        SwipeButton(action: .toggleFlag, color: "#FF950D", padding: 15),
        SwipeButton(action: .more, color: "#C8C8CD", padding: 15, closes: false),
      ],
      transition: .rotate3D,
      expansion: SwipeExpansion(button: 0, threshold: 1.1, fills: true)))

  /// How the open items of a to-do list are swiped: delete (red `#FF3B30`) and complete (green
  /// `#4CD964`) to the left. A deleted row is gone rather than springing back.
  public static let todoOpen = SwipeSettings(
    rightToLeft: SwipeSide(buttons: [
      SwipeButton(action: .delete, color: "#FF3B30", closes: false),
      SwipeButton(action: .complete, color: "#4CD964"),
    ]))

  /// How the completed items of a to-do list are swiped: delete (red `#FF3B30`) and reopen (blue
  /// `#007AFF`) to the left.
  public static let todoCompleted = SwipeSettings(
    rightToLeft: SwipeSide(buttons: [
      SwipeButton(action: .delete, color: "#FF3B30", closes: false),
      SwipeButton(action: .reopen, color: "#007AFF"),
    ]))
}

extension SwipeAction {
  /// The colour of a button that was configured without one.
  public var defaultColor: String {
    switch self {
    case .toggleRead, .markRead, .markUnread, .reopen: "#007AFF"
    case .toggleFlag, .flag, .unflag: "#FF950D"
    case .trash: "#FF3B32"
    case .delete: "#FF3B30"
    case .complete: "#4CD964"
    case .archive, .more, .none: "#C8C8CD"
    }
  }
}
