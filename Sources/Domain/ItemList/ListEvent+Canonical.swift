public import EventSourcing
internal import FastJSON

extension ListEvent {
  public init?(canonical event: EventView) {
    guard event.schema == 1 else { return nil }
    var reader = CanonicalReader(event.data)
    guard let event = Self.read(event.type, &reader), reader.take("}"), reader.isAtEnd else {
      return nil
    }
    self = event
  }

  /// - Returns: the event, if all but the closing brace is as it is written.
  @inline(__always)
  private static func read(
    _ type: UnsafeRawBufferPointer, _ reader: inout CanonicalReader
  ) -> ListEvent? {
    guard reader.take(#"{"item":"#), let item: ItemID = reader.id() else { return nil }
    // By length first: few types share one.
    switch type.count {
    case 10 where type.equals("item.added"):
      guard reader.take(#","section":"#), let section: SectionID = reader.id(),
        let text = reader.text(behind: #","text":"#)
      else { return nil }
      return .itemAdded(item, text: text, ItemPlace(section: section, after: reader.anchor()))
    case 10 where type.equals("item.moved"):
      return reader.place().map { .itemMoved(item, $0) }
    case 11 where type.equals("item.edited"):
      return reader.text(behind: #","text":"#).map { .itemEdited(item, text: $0) }
    case 11 where type.equals("item.purged"): return .itemPurged(item, erased: false)
    case 12 where type.equals("item.deleted"): return .itemDeleted(item)
    case 13 where type.equals("item.reopened"):
      return reader.place().map { .itemReopened(item, $0) }
    case 13 where type.equals("item.restored"):
      return reader.place().map { .itemRestored(item, $0) }
    case 14 where type.equals("item.completed"):
      return reader.place().map { .itemCompleted(item, $0) }
    default: return nil
    }
  }
}

extension CanonicalReader {
  /// Where an item goes.
  fileprivate mutating func place() -> ItemPlace? {
    guard take(#","section":"#), let section: SectionID = id() else { return nil }
    return ItemPlace(section: section, after: anchor())
  }
}
