internal import Domain
internal import EventSourcing
internal import FastJSON

/// Builds the view `list`: every list's sections with their items in order.
///
/// An event that makes no sense where it comes (which no version of the rules gives) changes
/// nothing but the revision; ``ListState`` does the same.
struct ListProjection: ViewProjection {
  typealias Model = ListModel

  static let name = "list"
  static let version: UInt32 = 2
  static let category = StreamCategory.list

  func project(
    _ recorded: EventView, into model: borrowing ListModel
  ) throws(ProjectionError) {
    let event: ListEvent = try model.decoder.decode(recorded)
    // A class in a borrowing parameter has to be copied to be captured.
    let model = copy model
    try model.storing(recorded) { () throws(ReadModelError) in
      let head = try model.head(of: recorded)
      try head.takeNext(recorded)
      try apply(event, to: head, in: model)
      model.heads.markDirty(head)
    }
  }

  private func apply(
    _ event: ListEvent, to head: ListHead, in model: ListModel
  ) throws(ReadModelError) {
    switch event {
    case .created(let title, _): head.title = head.title ?? title
    case .sectionAdded(let section, let content, let anchor):
      try model.addSection(section.rawValue, content, below: anchor?.rawValue, to: head)
    case .retitled, .sectionRetitled, .sectionMoved, .sectionRemoved, .sectionRestored,
      .traitsConfigured, .sectionStyled:
      try applyToSection(event, of: head, in: model)
    case .itemAdded(let item, let text, let place, let settings):
      try model.addItem(item.rawValue, text, at: place, settings, to: head)
    case .itemConfigured(let item, let configuration):
      try model.configure(item.rawValue, configuration, in: head)
    case .itemEdited(let item, let text): try model.setText(of: item.rawValue, text, in: head)
    case .itemCompleted(let item, let place):
      try model.place(item.rawValue, at: place, completed: true, in: head)
    case .itemReopened(let item, let place):
      try model.place(item.rawValue, at: place, completed: false, in: head)
    case .itemMoved(let item, let place):
      try model.place(item.rawValue, at: place, completed: nil, in: head)
    case .itemDeleted(let item): try model.delete(item.rawValue, in: head)
    case .itemRestored(let item, let place): try model.restore(item.rawValue, at: place, in: head)
    case .itemPurged(let item, _): try model.purge(item.rawValue, from: head)
    case .swipeConfigured(let section, let configuration):
      try model.configure(section.rawValue, configuration, in: head)
    case .itemSwipeConfigured(let item, let configuration):
      try model.configure(item: item.rawValue, configuration, in: head)
    case .itemSwipeCleared(let item): try model.clearSwipe(of: item.rawValue, in: head)
    case .lost: break
    }
  }

  private func applyToSection(
    _ event: ListEvent, of head: ListHead, in model: ListModel
  ) throws(ReadModelError) {
    switch event {
    case .retitled(let title): head.title = title
    case .sectionRetitled(let section, let header, let footer):
      try model.retitle(section.rawValue, header: header, footer: footer, in: head)
    case .sectionMoved(let section, let anchor):
      try model.moveSection(section.rawValue, below: anchor?.rawValue, in: head)
    case .sectionRemoved(let section): try model.removeSection(section.rawValue, in: head)
    case .sectionRestored(let section, let anchor):
      try model.restoreSection(section.rawValue, below: anchor?.rawValue, in: head)
    case .traitsConfigured(let section, let traits):
      try model.configure(section.rawValue, traits, in: head)
    case .sectionStyled(let section, let style):
      try model.style(section.rawValue, style, in: head)
    default: break
    }
  }
}
