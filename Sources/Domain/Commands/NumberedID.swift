/// An id that an aggregate assigns in order from 1: a mail's, an item's, a section's.
public protocol NumberedID: Hashable, Comparable, Sendable {
  var rawValue: Int { get }
  init(_ rawValue: Int)
}

extension MailID: NumberedID {}
extension ItemID: NumberedID {}
extension SectionID: NumberedID {}

/// The field names that a command uses for its targets.
struct TargetNames {
  let one: StaticString
  let many: StaticString
  /// Whether `thread` may name a conversation.
  let hasThreads: Bool

  static let mail = TargetNames(one: "mail", many: "mails", hasThreads: true)
  static let item = TargetNames(one: "item", many: "items", hasThreads: false)
}

extension NumberedID {
  /// For arrays indexed by id; 0, which no id has, where the number is beyond what they hold.
  var slot: UInt32 { UInt32(exactly: rawValue) ?? 0 }

  init(slot: UInt32) { self.init(Int(slot)) }

  /// The id in the slot, nil for slot 0, which stands for none.
  static func optional(slot: UInt32) -> Self? { slot == 0 ? nil : Self(slot: slot) }
}
