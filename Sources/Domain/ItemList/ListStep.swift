internal import EventSourcing

/// What one event changed in a list, for taking it back.
enum ListStep: UndoStep {
  case created
  case added(UInt32)
  /// The text before.
  case edited(UInt32, String)
  case completed(UInt32, from: Spot)
  case reopened(UInt32, from: Spot)
  case deleted(UInt32, from: Spot)
  case restored(UInt32)
  case moved(UInt32, from: Spot)
  /// The sides that were set, as they were before.
  indirect case configured(UInt32, SwipeConfiguration)
  /// The sides that an item's row had of its own before.
  indirect case configuredRow(UInt32, was: SwipeConfiguration?)
  case purged(UInt32)
  /// The title before.
  case retitled(String)
  indirect case section(UInt32, SectionStep)
  /// What was set, as it was before.
  indirect case itemConfigured(UInt32, ItemConfiguration)

  /// Where an item was: its section, and its neighbours there, 0 for none.
  struct Spot: Equatable, Sendable {
    let section: UInt32
    let above: UInt32
    let below: UInt32
  }

  private enum Kind {
    static let existence: UInt8 = 0
    static let place: UInt8 = 1
    static let text: UInt8 = 2
    static let completion: UInt8 = 3
    static let deletion: UInt8 = 4
    static let swipe: UInt8 = 5
    static let rowSwipe: UInt8 = 6
    static let title: UInt8 = 7
    static let movable: UInt8 = 8
    static let dates: UInt8 = 9
    /// Behind it the kinds of a section's fields.
    static let firstOfSection: UInt8 = 32
  }

  func forEachField(_ body: (UndoField) -> Void) {
    switch self {
    case .created: body(UndoField(Kind.existence, ofPart: 0))
    case .added(let item):
      body(UndoField(Kind.deletion, of: item))
      // One that was completed since is not deleted under whoever did it.
      body(UndoField(Kind.completion, of: item))
    case .edited(let item, _): body(UndoField(Kind.text, of: item))
    case .completed(let item, _), .reopened(let item, _):
      body(UndoField(Kind.completion, of: item))
      body(UndoField(Kind.place, of: item))
    case .deleted(let item, _), .restored(let item):
      body(UndoField(Kind.deletion, of: item))
      body(UndoField(Kind.place, of: item))
    case .moved(let item, _): body(UndoField(Kind.place, of: item))
    case .configured(let section, let sides):
      if sides.leftToRight != nil { body(UndoField(Kind.swipe, ofPart: section, detail: 0)) }
      if sides.rightToLeft != nil { body(UndoField(Kind.swipe, ofPart: section, detail: 1)) }
    case .configuredRow(let item, _): body(UndoField(Kind.rowSwipe, of: item))
    case .purged(let item): body(UndoField(Kind.existence, of: item))
    case .retitled: body(UndoField(Kind.title, ofPart: 0))
    case .section(let section, let step):
      body(UndoField(Kind.firstOfSection + step.field.rawValue, ofPart: section))
    case .itemConfigured(let item, let configuration):
      if configuration.movable != nil { body(UndoField(Kind.movable, of: item)) }
      if configuration.repetition != nil || configuration.due != nil {
        body(UndoField(Kind.dates, of: item))
      }
    }
  }

  var refusal: String? {
    switch self {
    case .created: "made the list"
    case .purged(let item): "purged item \(item) for good"
    default: nil
    }
  }

  var row: ItemID? {
    switch self {
    case .added(let item), .edited(let item, _), .completed(let item, _), .reopened(let item, _),
      .deleted(let item, _), .restored(let item), .moved(let item, _), .purged(let item),
      .configuredRow(let item, _), .itemConfigured(let item, _):
      ItemID(slot: item)
    case .created, .configured, .retitled, .section: nil
    }
  }

  var text: (holder: UInt32, byteCount: Int)? {
    if case .edited(let item, let text) = self { (item, text.utf8.count) } else { nil }
  }

  mutating func dropText() {
    if case .edited(let item, _) = self { self = .edited(item, "") }
  }
}
