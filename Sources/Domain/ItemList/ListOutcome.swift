public import EventSourcing
public import FastJSON

/// What a list tells a command's sender.
public enum ListOutcome: OutcomeEncodable {
  case done
  case added(ItemID)
  case sectionAdded(SectionID)
  /// An item was completed that comes back.
  case completed(NextItem)
  /// A section's items, in order.
  case replaced([ItemID])
  case results(BulkResults<ItemID>)
  case gesture(GestureOutcome)
  indirect case drag(DragOutcome)
  /// The command that was taken back, and what that did to each of its items.
  indirect case undone(CommandID, BulkResults<ItemID>)

  /// Of a bulk command.
  var results: BulkResults<ItemID>? {
    if case .results(let results) = self { results } else { nil }
  }

  public func write(to writer: inout JSONWriter) {
    switch self {
    case .done:
      writer.beginObject()
      writer.endObject()
    case .added(let item):
      writer.beginObject()
      writer.member("item", item)
      writer.endObject()
    case .sectionAdded(let section):
      writer.beginObject()
      writer.member("section", section)
      writer.endObject()
    case .completed(let next):
      writer.beginObject()
      next.write(to: &writer)
      writer.endObject()
    case .replaced(let items):
      writer.beginObject()
      writer.key("items")
      writer.beginArray()
      for item in items { writer.value(item.rawValue) }
      writer.endArray()
      writer.endObject()
    case .results(let results):
      results.write(to: &writer, id: "item")
    case .gesture(let outcome):
      outcome.write(to: &writer)
    case .drag(let outcome):
      outcome.write(to: &writer)
    case .undone(let command, let results):
      writer.beginObject()
      writer.member("undone", command.description)
      results.writeMembers(to: &writer, id: "item")
      writer.endObject()
    }
  }
}
