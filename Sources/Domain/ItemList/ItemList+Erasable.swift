public import EventSourcing

extension ItemList {
  /// What is erased of a purged item: every text that it had.
  public static let erasable = ErasableEvents(
    category: .list, subject: "item", subjects: "items", purge: "item.purged",
    forms: [
      "item.added": .init(
        kept: ["item", "section", "after", "repeat", "due", "movable", "anchorDay"],
        emptied: ["text"]),
      "item.edited": .init(kept: ["item"], emptied: ["text"]),
    ])
}
