public import EventSourcing

/// What an item has besides its text, place and state.
public struct ItemSettings: Sendable, Equatable {
  /// Whether it may be moved; one that may not is fixed, and others move around it.
  public var movable: Bool
  /// Whether completing it makes the next one.
  public var repetition: Repetition?
  public var due: Timestamp?
  /// The day of the month that a monthly item is meant for, where it is not the day of ``due``
  /// because that month is too short: the item goes back to it.
  public var anchorDay: Int?

  public init(
    movable: Bool = true, repetition: Repetition? = nil, due: Timestamp? = nil,
    anchorDay: Int? = nil
  ) {
    self.movable = movable
    self.repetition = repetition
    self.due = due
    self.anchorDay = anchorDay
  }

  static let usual = ItemSettings()

  /// Those of the item that follows one with these; nil where none does.
  ///
  /// The next one is due at the first time behind the completion and behind the present due, counted
  /// in periods from the present due, or from the completion where there is none.
  func next(completedAt time: Timestamp) -> ItemSettings? {
    guard let repetition else { return nil }
    let start = due ?? time
    let day = anchorDay ?? start.dayOfMonth
    guard let due = repetition.next(from: start, day: day, behind: time) else { return nil }
    let isCut = repetition == .monthly && due.dayOfMonth != day
    return ItemSettings(
      movable: movable, repetition: repetition, due: due, anchorDay: isCut ? day : nil)
  }
}

/// What a command or an event sets of an item's settings. What is nil stays; what is a nil within
/// goes.
public struct ItemConfiguration: Sendable, Equatable {
  public var movable: Bool?
  public var repetition: Repetition??
  public var due: Timestamp??
  /// Goes with what the item repeats by: see ``ItemSettings/anchorDay``.
  public var anchorDay: Int?

  public init(
    movable: Bool? = nil, repetition: Repetition?? = nil, due: Timestamp?? = nil,
    anchorDay: Int? = nil
  ) {
    self.movable = movable
    self.repetition = repetition
    self.due = due
    self.anchorDay = anchorDay
  }

  public var isEmpty: Bool { self == ItemConfiguration() }

  /// The settings, changed.
  public func applied(to settings: ItemSettings) -> ItemSettings {
    var settings = settings
    if let movable { settings.movable = movable }
    if let repetition { settings.repetition = repetition }
    if let due { settings.due = due }
    if repetition != nil || due != nil { settings.anchorDay = anchorDay }
    return settings
  }

  /// Only what changes the settings.
  func changes(of settings: ItemSettings) -> ItemConfiguration {
    var changes = self
    if movable == settings.movable { changes.movable = nil }
    if let repetition, repetition == settings.repetition { changes.repetition = nil }
    if let due, due == settings.due { changes.due = nil }
    if changes.repetition == nil, changes.due == nil { changes.anchorDay = nil }
    return changes
  }

  /// What leads back to `settings` once this has been applied to them.
  func replaced(in settings: ItemSettings) -> ItemConfiguration {
    let isDated = repetition != nil || due != nil
    return ItemConfiguration(
      movable: movable.map { _ in settings.movable },
      repetition: repetition.map { _ in settings.repetition },
      due: due.map { _ in settings.due }, anchorDay: isDated ? settings.anchorDay : nil)
  }
}
