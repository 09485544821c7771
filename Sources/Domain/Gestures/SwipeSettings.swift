/// Which way a row is swiped, and so which side's buttons show.
public enum SwipeDirection: String, Sendable, CaseIterable {
  case leftToRight = "left-to-right"
  case rightToLeft = "right-to-left"
}

/// What a button does.
public enum SwipeAction: String, Sendable, CaseIterable {
  case toggleRead = "toggle-read"
  case toggleFlag = "toggle-flag"
  case markRead = "mark-read"
  case markUnread = "mark-unread"
  case flag
  case unflag
  case trash
  case archive
  case complete
  case reopen
  case delete
  case more
  case none
}

/// How the buttons come into sight while the row moves.
public enum SwipeTransition: String, Sendable, CaseIterable {
  case border
  case `static`
  case drag
  case clipCenter = "clip-center"
  case rotate3D = "rotate-3d"
}

/// One button behind a row.
public struct SwipeButton: Sendable, Equatable {
  /// Titles of one's own instead of the action's: `on` where the action's state holds (the mail is
  /// read, flagged; the item is completed), `off` where it does not.
  public struct Titles: Sendable, Equatable {
    public var on: String
    public var off: String

    public init(on: String, off: String) {
      self.on = on
      self.off = off
    }
  }

  public var action: SwipeAction
  /// `#RRGGBB`.
  public var color: String
  /// In points.
  public var padding: Double
  public var titles: Titles?
  /// Whether the row springs back after the action.
  public var closes: Bool

  public init(
    action: SwipeAction, color: String, padding: Double = 10, titles: Titles? = nil,
    closes: Bool = true
  ) {
    self.action = action
    self.color = color
    self.padding = padding
    self.titles = titles
    self.closes = closes
  }
}

/// When a long swipe sets off a button by itself.
public struct SwipeExpansion: Sendable, Equatable {
  /// The button's index; nil is off.
  public var button: Int?
  /// The extent that a swipe must go beyond.
  public var threshold: Double
  /// Whether the button fills the row.
  public var fills: Bool

  public init(button: Int? = nil, threshold: Double = 1.3, fills: Bool = false) {
    self.button = button
    self.threshold = threshold
    self.fills = fills
  }
}

/// The buttons on one side of a row, index 0 outermost, and how a swipe towards them is judged.
public struct SwipeSide: Sendable, Equatable {
  public var buttons: [SwipeButton]
  public var transition: SwipeTransition
  public var openThreshold: Double
  public var keepsOpen: Bool
  public var bounces: Bool
  public var bounceRate: Double
  public var expansion: SwipeExpansion

  public init(
    buttons: [SwipeButton] = [], transition: SwipeTransition = .border,
    openThreshold: Double = 0.5, keepsOpen: Bool = true, bounces: Bool = true,
    bounceRate: Double = 1, expansion: SwipeExpansion = SwipeExpansion()
  ) {
    self.buttons = buttons
    self.transition = transition
    self.openThreshold = openThreshold
    self.keepsOpen = keepsOpen
    self.bounces = bounces
    self.bounceRate = bounceRate
    self.expansion = expansion
  }
}

/// Both sides of a row.
public struct SwipeSettings: Sendable, Equatable {
  public var leftToRight: SwipeSide
  public var rightToLeft: SwipeSide

  public init(leftToRight: SwipeSide = SwipeSide(), rightToLeft: SwipeSide = SwipeSide()) {
    self.leftToRight = leftToRight
    self.rightToLeft = rightToLeft
  }

  public subscript(direction: SwipeDirection) -> SwipeSide {
    get { direction == .leftToRight ? leftToRight : rightToLeft }
    set {
      if direction == .leftToRight { leftToRight = newValue } else { rightToLeft = newValue }
    }
  }
}

/// A configuration that was set: each side given replaces the old one whole.
public struct SwipeConfiguration: Sendable, Equatable {
  public var leftToRight: SwipeSide?
  public var rightToLeft: SwipeSide?

  public init(leftToRight: SwipeSide? = nil, rightToLeft: SwipeSide? = nil) {
    self.leftToRight = leftToRight
    self.rightToLeft = rightToLeft
  }

  /// What of `settings` it replaces.
  func replaced(in settings: SwipeSettings) -> SwipeConfiguration {
    SwipeConfiguration(
      leftToRight: leftToRight.map { _ in settings.leftToRight },
      rightToLeft: rightToLeft.map { _ in settings.rightToLeft })
  }

  /// What `settings` become by it.
  public func applied(to settings: SwipeSettings) -> SwipeSettings {
    SwipeSettings(
      leftToRight: leftToRight ?? settings.leftToRight,
      rightToLeft: rightToLeft ?? settings.rightToLeft)
  }
}
