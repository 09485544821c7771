/// One thing that an event can change: a field of a mail, an item or a section, or of the whole
/// stream. Two events touch the same where their fields are equal.
struct UndoField: Hashable, Sendable {
  /// Which field; each aggregate numbers its own.
  let kind: UInt8
  /// Whose: a mail's, an item's or a section's number; 0 for the stream's.
  let id: UInt32
  /// Which of several of this kind: a label, a side.
  let detail: UInt32

  init(_ kind: UInt8, of id: UInt32 = 0, detail: UInt32 = 0) {
    self.kind = kind
    self.id = id
    self.detail = detail
  }
}
