/// One thing that an event can change: a field of a mail, an item or a section, or of the whole
/// stream. Two events touch the same where their fields are equal.
struct UndoField: Hashable, Sendable {
  /// Which field; each aggregate numbers its own.
  let kind: UInt8
  /// Whose: a mail's, an item's or a section's number; 0 for the stream's.
  let id: UInt32
  /// Which of several of this kind: a label, a side.
  let detail: UInt32
  /// Whether it is a mail's or an item's, which errors name.
  let isOfRow: Bool

  /// Of a mail or an item.
  init(_ kind: UInt8, of row: UInt32, detail: UInt32 = 0) {
    self.init(kind: kind, id: row, detail: detail, isOfRow: true)
  }

  /// Of a section, a thread, or with 0 of the stream.
  init(_ kind: UInt8, ofPart part: UInt32 = 0, detail: UInt32 = 0) {
    self.init(kind: kind, id: part, detail: detail, isOfRow: false)
  }

  private init(kind: UInt8, id: UInt32, detail: UInt32, isOfRow: Bool) {
    self.kind = kind
    self.id = id
    self.detail = detail
    self.isOfRow = isOfRow
  }
}
