internal import FastJSON

extension CanonicalReader {
  /// A number that an aggregate gives.
  @inline(__always)
  mutating func id<ID: NumberedID>() -> ID? {
    guard let number = number(), number > 0 else { return nil }
    return ID(number)
  }

  /// The id or null behind `after`; gives up where there is neither.
  @inline(__always)
  mutating func anchor<ID: NumberedID>() -> ID? {
    guard take(#","after":"#) else {
      giveUp()
      return nil
    }
    if take("null") { return nil }
    let anchor: ID? = id()
    if anchor == nil { giveUp() }
    return anchor
  }

  /// The plain text behind a member's name, nil where that does not come next; gives up where there
  /// is something else behind it.
  mutating func text(behind name: StaticString) -> String? {
    guard take(name) else { return nil }
    guard let text = plainText() else {
      giveUp()
      return nil
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// As ``text(behind:)``.
  mutating func bool(behind name: StaticString) -> Bool? {
    guard take(name) else { return nil }
    if take("true") { return true }
    if take("false") { return false }
    giveUp()
    return nil
  }
}
