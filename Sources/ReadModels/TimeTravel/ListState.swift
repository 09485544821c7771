internal import Domain
internal import EventSourcing

/// A list as its events leave it; follows the same rules as ``ListProjection``.
struct ListState: EventFold {
  private struct Section {
    var content: SectionContent
    var order = LinkedOrder()
  }

  private struct Item {
    var text: String
    var completed = false
    var settings: ItemSettings
    /// Nil while it is deleted.
    var section: Int?
    var swipe: SwipeConfiguration?
  }

  private var title: String?
  private var sections: [Int: Section] = [:]
  private var removed: [Int: Section] = [:]
  private var sectionOrder = LinkedOrder()
  private var items: [Int: Item] = [:]
  private var lastSection = 0
  private var lastItem = 0
  private var counts = ListCounts()

  init() {}

  var rowCount: Int { items.count }

  mutating func apply(_ event: ListEvent) {
    switch event {
    case .created(let title, _): self.title = self.title ?? title
    case .sectionAdded(let section, let content, let anchor):
      addSection(section.rawValue, content, below: anchor?.rawValue)
    case .retitled, .sectionRetitled, .sectionMoved, .sectionRemoved, .sectionRestored,
      .traitsConfigured, .sectionStyled:
      applyToSection(event)
    case .itemAdded(let item, let text, let place, let settings):
      add(item.rawValue, Item(text: text, settings: settings), at: place)
    case .itemConfigured(let item, let configuration):
      guard let present = items[item.rawValue]?.settings else { return }
      items[item.rawValue]?.settings = configuration.applied(to: present)
    case .itemEdited(let item, let text): items[item.rawValue]?.text = text
    case .itemCompleted(let item, let place): move(item.rawValue, to: place, completed: true)
    case .itemReopened(let item, let place): move(item.rawValue, to: place, completed: false)
    case .itemMoved(let item, let place): move(item.rawValue, to: place, completed: nil)
    case .itemDeleted(let item): takeOut(item.rawValue)
    case .itemRestored(let item, let place): restore(item.rawValue, at: place)
    case .itemPurged(let item, _):
      takeOut(item.rawValue)
      items[item.rawValue] = nil
    case .swipeConfigured(let section, let configuration):
      guard let present = sections[section.rawValue]?.content.swipe else { return }
      sections[section.rawValue]?.content.swipe = configuration.applied(to: present)
    case .itemSwipeConfigured(let item, let sides): items[item.rawValue]?.swipe = sides
    case .itemSwipeCleared(let item): items[item.rawValue]?.swipe = nil
    case .lost: break
    }
  }

  private mutating func applyToSection(_ event: ListEvent) {
    switch event {
    case .retitled(let title): self.title = title
    case .sectionRetitled(let section, let header, let footer):
      sections[section.rawValue]?.content.header = header
      sections[section.rawValue]?.content.footer = footer
    case .sectionMoved(let section, let anchor):
      moveSection(section.rawValue, below: anchor?.rawValue)
    case .sectionRemoved(let section):
      guard let present = sections[section.rawValue], present.order.isEmpty else { return }
      sections[section.rawValue] = nil
      sectionOrder.remove(section.rawValue)
      removed[section.rawValue] = present
    case .sectionRestored(let section, let anchor):
      guard let content = removed.removeValue(forKey: section.rawValue) else { return }
      sections[section.rawValue] = content
      place(section.rawValue, below: anchor?.rawValue)
    case .traitsConfigured(let section, let traits):
      sections[section.rawValue]?.content.traits = traits
    case .sectionStyled(let section, let style):
      sections[section.rawValue]?.content.style = style
    default: break
    }
  }

  private mutating func addSection(_ section: Int, _ content: SectionContent, below anchor: Int?) {
    guard section > lastSection else { return }
    lastSection = section
    sections[section] = Section(content: content)
    place(section, below: anchor)
  }

  private mutating func moveSection(_ section: Int, below anchor: Int?) {
    guard sections[section] != nil, anchor != section,
      anchor.map({ sectionOrder.contains($0) }) ?? true
    else { return }
    sectionOrder.remove(section)
    place(section, below: anchor)
  }

  /// On top where the section above is not there.
  private mutating func place(_ section: Int, below anchor: Int?) {
    sectionOrder.insert(section, below: anchor.flatMap { sectionOrder.contains($0) ? $0 : nil })
  }

  private mutating func add(_ item: Int, _ content: Item, at place: ItemPlace) {
    guard item > lastItem else { return }
    lastItem = item
    // The item above may be lost; a section that is, takes its items along.
    let top = ItemPlace(section: place.section, after: nil)
    let place = isPlace(place, for: item) ? place : top
    guard isPlace(place, for: item) else { return }
    items[item] = content
    put(item, place)
  }

  private mutating func move(_ item: Int, to place: ItemPlace, completed: Bool?) {
    guard let present = items[item], present.section != nil, completed != present.completed,
      isPlace(place, for: item)
    else { return }
    takeOut(item)
    items[item]?.completed = completed ?? present.completed
    put(item, place)
  }

  private mutating func restore(_ item: Int, at place: ItemPlace) {
    guard let present = items[item], present.section == nil, isPlace(place, for: item) else {
      return
    }
    put(item, place)
  }

  private func isPlace(_ place: ItemPlace, for item: Int) -> Bool {
    guard let section = sections[place.section.rawValue] else { return false }
    guard let anchor = place.after?.rawValue else { return true }
    return anchor != item && section.order.contains(anchor)
  }

  private mutating func put(_ item: Int, _ place: ItemPlace) {
    sections[place.section.rawValue]?.order.insert(item, below: place.after?.rawValue)
    items[item]?.section = place.section.rawValue
    counts.count(1, completed: items[item]?.completed ?? false)
  }

  private mutating func takeOut(_ item: Int) {
    guard let present = items[item], let section = present.section else { return }
    sections[section]?.order.remove(item)
    items[item]?.section = nil
    counts.count(-1, completed: present.completed)
  }
}

extension ListState {
  func page(
    _ head: PageHead, _ request: PageRequest, cursor: PageCursor?
  ) throws(ServiceError) -> WrittenPage {
    var rows = Rows(state: self, revision: head.revision, next: sectionOrder.first)
    if let cursor {
      guard let section = sections[cursor.section],
        cursor.row == 0 || section.order.contains(cursor.row)
      else { throw PageCursor.invalid }
      rows.goOn(behind: cursor)
    }
    return ListPage.write(
      head: head, title: title, counts: counts, limit: request.limit, rows: &rows)
  }

  private struct Rows: ListRows {
    let state: ListState
    let revision: Int
    var next: Int?
    /// The item that the next section is gone on with behind, where an earlier page began it.
    var continuedBehind: Int?
    var section = 0
    var nextItemNumber: Int?
    var item = 0

    init(state: ListState, revision: Int, next: Int?) {
      self.state = state
      self.revision = revision
      self.next = next
    }

    mutating func goOn(behind cursor: PageCursor) {
      if cursor.row == 0 {
        next = state.sectionOrder.below(cursor.section)
      } else {
        next = cursor.section
        continuedBehind = cursor.row
      }
    }

    mutating func nextSection() -> SectionRow? {
      guard let number = next, let present = state.sections[number] else { return nil }
      let continued = continuedBehind
      continuedBehind = nil
      next = state.sectionOrder.below(number)
      section = number
      item = 0
      nextItemNumber = continued.map { present.order.below($0) } ?? present.order.first
      return SectionRow(
        section: number, header: present.content.header, footer: present.content.footer,
        traits: present.content.traits, swipe: present.content.swipe,
        style: present.content.style.json, isContinued: continued != nil)
    }

    mutating func nextItem() -> ItemRow? {
      guard let number = nextItemNumber, let present = state.items[number] else { return nil }
      nextItemNumber = state.sections[section]?.order.below(number)
      item = number
      return ItemRow(
        item: number, text: present.text, completed: present.completed,
        settings: present.settings, swipe: present.swipe)
    }

    func cursor() -> PageCursor {
      PageCursor(revision: revision, section: section, row: item)
    }
  }
}
