/// Buttons for both sides of a row under one name.
public enum SwipePreset: String, Sendable, CaseIterable {
  /// What mailboxes begin with; see ``SwipeSettings/mailboxDefault``.
  case mail
  /// What the sections of a to-do list begin with.
  case todo
  /// A long swipe to the right toggles read, one to the left archives.
  case readArchive = "read-archive"
  /// Long swipes change a row's state and never take it away: it springs back.
  case selection
  /// A long swipe to the left takes the row away, and nothing else can be done.
  case destructive
  /// The row cannot be swiped.
  case off

  /// What is swiped: the same name may stand for other buttons on mails and on items.
  enum Row {
    case mail
    case item(completed: Bool)
  }

  /// The presets for mails.
  static let forMails = allCases.filter { $0.settings(for: .mail) != nil }
  /// The presets for items.
  static let forItems = allCases.filter { $0.settings(for: .item(completed: false)) != nil }

  /// Both sides in full; nil where the preset does not fit such rows.
  func settings(for row: Row) -> SwipeSettings? {
    switch (self, row) {
    case (.mail, .mail): .mailboxDefault
    case (.todo, .item(let completed)): completed ? .todoCompleted : .todoOpen
    case (.readArchive, .mail):
      SwipeSettings(
        leftToRight: .expanding(.toggleRead), rightToLeft: .expanding(.archive, removing: true))
    case (.selection, .mail):
      SwipeSettings(leftToRight: .expanding(.toggleRead), rightToLeft: .expanding(.toggleFlag))
    case (.selection, .item(let completed)):
      SwipeSettings(leftToRight: .expanding(completed ? .reopen : .complete))
    case (.destructive, .mail):
      SwipeSettings(rightToLeft: .expanding(.trash, removing: true))
    case (.destructive, .item):
      SwipeSettings(rightToLeft: .expanding(.delete, removing: true))
    case (.off, _): SwipeSettings()
    case (.mail, .item), (.todo, .mail), (.readArchive, .item): nil
    }
  }
}

extension SwipeSide {
  /// One button that a long swipe sets off too.
  ///
  /// - Parameter removing: whether the row leaves with the action: then the button fills it, and it
  ///   does not spring back.
  fileprivate static func expanding(_ action: SwipeAction, removing: Bool = false) -> SwipeSide {
    SwipeSide(
      buttons: [SwipeButton(action: action, color: action.defaultColor, closes: !removing)],
      expansion: SwipeExpansion(button: 0, fills: removing))
  }
}
