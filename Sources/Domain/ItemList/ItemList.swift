public import EventSourcing

/// One list: its sections, and which items they hold, in what order and state.
public struct ItemList: Aggregate, Equatable {
  public static let category = StreamCategory.list

  /// What an item's byte in `states` says.
  struct State: OptionSet {
    let rawValue: UInt8
    static let completed = State(rawValue: 1)
    static let deleted = State(rawValue: 2)
    /// Gone for good; only the number stays taken.
    static let purged = State(rawValue: 4)
    /// Keeps a number free that a lost event may have given, until the next item tells.
    static let lost = State(rawValue: 20)
    /// Purged, and its text is to leave the log.
    static let erased = State(rawValue: 8)
  }

  /// Where an item was before it was completed or deleted.
  struct Departure: Equatable {
    let section: UInt32
    /// Its neighbours then, 0 for none.
    let above: UInt32
    let below: UInt32
    /// Counts departures: who left last returns first, so that a batch finds its neighbours.
    let sequence: Int
  }

  /// Whether the stream has an event.
  private(set) var exists = false
  private(set) var title = ""
  /// By section, less 1; nil where it is lost.
  var sections: [SectionContent?] = []
  /// Those that are there, from the top.
  var sectionOrder: [SectionID] = []
  /// They are as they were, in case they are restored.
  var removedSections: Set<SectionID> = []
  /// By item; the first is nobody's.
  private(set) var states: [State] = [.purged]
  /// By item: the section that holds it, 0 for none.
  private(set) var homes: [UInt32] = [0]
  private(set) var texts = ItemTexts()
  /// By item, where they are not the usual ones.
  private(set) var settings: [UInt32: ItemSettings] = [:]
  /// A lane per section, numbered like it; lane 0 is nobody's.
  var order = OrderChain(lanes: 1)
  private(set) var completions: [UInt32: Departure] = [:]
  private(set) var deletions: [UInt32: Departure] = [:]
  private(set) var departureCount = 0
  private(set) var overrides = SwipeOverrides()
  /// What can be taken back.
  var journal = UndoJournal<ListStep>()

  /// No more numbers than this are taken to be of items and sections that are lost.
  static let gapLimit = 10_000_000

  public init() {}

  /// The state as a snapshot gives it.
  init(_ parts: SnapshotParts) {
    exists = parts.exists
    title = parts.title
    sections = parts.sections
    sectionOrder = parts.sectionOrder
    removedSections = parts.removedSections
    states = parts.states
    homes = parts.homes
    texts = parts.texts
    settings = parts.settings
    order = OrderChain(
      count: parts.states.count - 1 - Self.lostCount(in: parts.states), lanes: parts.lanes)
    completions = parts.completions
    deletions = parts.deletions
    departureCount = parts.departureCount
    journal = parts.journal
    overrides = parts.overrides
  }

  public static var remembersCommands: Bool { true }

  public mutating func begin(_ cause: EventCause?) { journal.begin(cause) }

  /// The number of the next item: none that was, or may have been, another's.
  var nextItem: ItemID { ItemID(states.count) }

  /// How many events were lost since an item was added last.
  static func lostCount(in states: [State]) -> Int {
    states.reversed().prefix { $0 == .lost }.count
  }

  /// The item's state, nil where there is none with this id, or none any more.
  func state(_ item: ItemID) -> State? {
    guard states.indices.contains(item.rawValue), !states[item.rawValue].contains(.purged) else {
      return nil
    }
    return states[item.rawValue]
  }

  /// The state of an item that was purged; nil for every other id.
  func purgedState(_ item: ItemID) -> State? {
    guard states.indices.contains(item.rawValue), item.rawValue > 0 else { return nil }
    let state = states[item.rawValue]
    return state == .purged || state == [.purged, .erased] ? state : nil
  }

  /// The item's text, nil where there is none with this id, or none any more.
  func text(of item: ItemID) -> String? { state(item).map { _ in texts[item] } }

  /// The section, nil where there is none with this id, or none any more.
  func section(_ id: SectionID) -> SectionContent? {
    hasSection(id) ? sections[id.rawValue - 1] : nil
  }

  func hasSection(_ id: SectionID) -> Bool {
    sections.indices.contains(id.rawValue - 1) && sections[id.rawValue - 1] != nil
      && !removedSections.contains(id)
  }

  /// The section that holds the item, nil for a deleted one.
  func home(_ item: ItemID) -> SectionID? {
    states.indices.contains(item.rawValue) ? .optional(slot: homes[item.rawValue]) : nil
  }

  var completedSection: SectionID? {
    sectionOrder.first { section($0)?.completedRole == true }
  }

  public mutating func apply(_ event: ListEvent) {
    exists = true
    switch event {
    case .created(let title, _):
      journal.record(.created)
      if self.title.isEmpty { self.title = title }
    case .sectionAdded(let section, let content, let after): add(section, content, after: after)
    case .retitled(let title):
      journal.record(.retitled(self.title))
      self.title = title
    case .sectionRetitled(let section, let header, let footer):
      retitle(section, header: header, footer: footer)
    case .sectionMoved(let section, let after): move(section, after: after)
    case .sectionRemoved(let section): remove(section)
    case .sectionRestored(let section, let after): restore(section, after: after)
    case .traitsConfigured(let section, let traits): configure(section, traits)
    case .sectionStyled(let section, let style): self.style(section, style)
    case .itemAdded(let item, let text, let place, let settings): add(item, text, place, settings)
    case .itemConfigured(let item, let configuration): configure(item, configuration)
    case .itemEdited(let item, let text): edit(item, text)
    case .itemCompleted(let item, let place): complete(item, place)
    case .itemReopened(let item, let place): reopen(item, place)
    case .itemDeleted(let item): delete(item)
    case .itemRestored(let item, let place): restore(item, place)
    case .itemPurged(let item, let erased):
      if state(item) != nil || erased && purgedState(item) == .purged {
        journal.record(.purged(item.slot))
      }
      purge(item)
      if erased, purgedState(item) != nil { states[item.rawValue].insert(.erased) }
    case .itemMoved(let item, let place): reorder(item, to: place)
    case .swipeConfigured(let section, let configuration): configure(section, configuration)
    case .itemSwipeConfigured(let item, let sides): setSwipe(of: item, sides)
    case .itemSwipeCleared(let item): setSwipe(of: item, nil)
    case .lost:
      states.append(.lost)
      homes.append(0)
      texts.append("")
    }
  }
}

extension ItemList {
  private mutating func add(
    _ item: ItemID, _ text: String, _ place: ItemPlace, _ settings: ItemSettings
  ) {
    // Numbers come in order: what was lost before this one added no later one.
    let added = states.count - Self.lostCount(in: states)
    guard item.rawValue >= added, item.rawValue - added <= Self.gapLimit, item.slot != 0
    else { return }
    states.removeSubrange(added...)
    homes.removeSubrange(added...)
    texts.shorten(to: added)
    // The items between are lost; their numbers stay taken.
    while states.count < item.rawValue { addSlot(.purged, "") }
    guard let place = nearest(place, for: item) else {
      return addSlot(.purged, "")
    }
    addSlot([], text)
    if settings != .usual { self.settings[item.slot] = settings }
    put(item, place)
    journal.record(.added(item.slot))
  }

  private mutating func edit(_ item: ItemID, _ text: String) {
    guard state(item) != nil else { return }
    journal.record(.edited(item.slot, texts[item]))
    texts.replace(item, with: text)
  }

  private mutating func addSlot(_ state: State, _ text: String) {
    states.append(state)
    homes.append(0)
    texts.append(text)
    order.addSlot()
  }

  /// The place, or the section's top where the item above is lost; nil where the section is.
  private func nearest(_ place: ItemPlace, for item: ItemID) -> ItemPlace? {
    if isPlace(place, for: item) { return place }
    return hasSection(place.section) ? ItemPlace(section: place.section, after: nil) : nil
  }

  private mutating func complete(_ item: ItemID, _ place: ItemPlace) {
    guard state(item) == [], isPlace(place, for: item), let spot = spot(of: item) else { return }
    journal.record(.completed(item.slot, from: spot))
    if let home = home(item), home != place.section { completions[item.slot] = departure(of: item) }
    states[item.rawValue].insert(.completed)
    move(item, to: place)
  }

  private mutating func reopen(_ item: ItemID, _ place: ItemPlace) {
    guard state(item) == .completed, isPlace(place, for: item), let spot = spot(of: item)
    else { return }
    journal.record(.reopened(item.slot, from: spot))
    completions[item.slot] = nil
    states[item.rawValue].remove(.completed)
    move(item, to: place)
  }

  private mutating func delete(_ item: ItemID) {
    guard let state = state(item), !state.contains(.deleted), let spot = spot(of: item)
    else { return }
    journal.record(.deleted(item.slot, from: spot))
    deletions[item.slot] = departure(of: item)
    states[item.rawValue].insert(.deleted)
    takeOut(item)
  }

  private mutating func restore(_ item: ItemID, _ place: ItemPlace) {
    guard state(item)?.contains(.deleted) == true, isPlace(place, for: item) else { return }
    journal.record(.restored(item.slot))
    deletions[item.slot] = nil
    states[item.rawValue].remove(.deleted)
    put(item, place)
  }

  private mutating func purge(_ item: ItemID) {
    guard state(item) != nil else { return }
    takeOut(item)
    states[item.rawValue] = .purged
    texts.drop(item)
    journal.dropTexts(of: item.slot)
    settings[item.slot] = nil
    completions[item.slot] = nil
    deletions[item.slot] = nil
    overrides.set(item.slot, nil)
  }

  private mutating func reorder(_ item: ItemID, to place: ItemPlace) {
    guard let spot = spot(of: item), isPlace(place, for: item) else { return }
    journal.record(.moved(item.slot, from: spot))
    move(item, to: place)
  }

  private mutating func move(_ item: ItemID, to place: ItemPlace) {
    guard home(item) != nil, isPlace(place, for: item) else { return }
    takeOut(item)
    put(item, place)
  }

  private mutating func configure(_ item: ItemID, _ configuration: ItemConfiguration) {
    guard state(item) != nil else { return }
    let present = settings[item.slot] ?? .usual
    if !configuration.isEmpty {
      journal.record(.itemConfigured(item.slot, configuration.replaced(in: present)))
    }
    let new = configuration.applied(to: present)
    settings[item.slot] = new == .usual ? nil : new
  }

  private mutating func configure(_ section: SectionID, _ configuration: SwipeConfiguration) {
    guard let present = self.section(section) else { return }
    journal.record(.configured(section.slot, configuration.replaced(in: present.swipe)))
    sections[section.rawValue - 1]?.swipe = configuration.applied(to: present.swipe)
  }

  private mutating func setSwipe(of item: ItemID, _ sides: SwipeConfiguration?) {
    guard state(item) != nil else { return }
    journal.record(.configuredRow(item.slot, was: overrides[item.slot]))
    overrides.set(item.slot, sides)
  }

  private func isPlace(_ place: ItemPlace, for item: ItemID) -> Bool {
    guard hasSection(place.section) else { return false }
    guard let after = place.after else { return true }
    return after != item && home(after) == place.section
  }

  private mutating func put(_ item: ItemID, _ place: ItemPlace) {
    order.insert(item.slot, after: place.after?.slot ?? 0, in: place.section.rawValue)
    homes[item.rawValue] = place.section.slot
  }

  private mutating func takeOut(_ item: ItemID) {
    guard let home = home(item) else { return }
    order.remove(item.slot, from: home.rawValue)
    homes[item.rawValue] = 0
  }

  private mutating func departure(of item: ItemID) -> Departure {
    departureCount += 1
    return Departure(
      section: homes[item.rawValue], above: order.number(before: item.slot),
      below: order.number(after: item.slot), sequence: departureCount)
  }
}
