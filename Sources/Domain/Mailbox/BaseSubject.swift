/// What is left of a subject without what mail programs and lists put around it: the base subject of
/// RFC 5256 section 2.1, in lower case, and without white space, as RFC 8621 section 3 compares
/// subjects.
///
/// White space goes first, which makes the grammar one of neighbours. Apart from letters, case and white
/// space, the syntax is ASCII.
struct BaseSubject {
  let utf8: [UInt8]

  init(_ subject: String) {
    var text: [UInt8] = []
    text.reserveCapacity(subject.utf8.count)
    for scalar in subject.unicodeScalars {
      if scalar.isASCII {
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        if byte == 0x20 || (0x09...0x0D).contains(byte) { continue }
        let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        text.append(isUpper ? byte | 0x20 : byte)
      } else if !scalar.properties.isWhitespace {
        text.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
      }
    }
    utf8 = Array(Self.base(text[...]))
  }

  private static func base(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text
    while true {
      while rest.hasSuffix("(fwd)") { rest = rest.dropLast(5) }
      rest = withoutLeaders(rest)
      guard rest.hasPrefix("[fwd:"), rest.last == UInt8(ascii: "]") else { return rest }
      rest = rest.dropFirst(5).dropLast()
    }
  }

  private static func withoutLeaders(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text
    while true {
      if let behind = behindReply(rest) {
        rest = behind
      } else if let behind = behindBlob(rest), !behind.isEmpty {
        rest = behind
      } else {
        return rest
      }
    }
  }

  /// What follows blobs and `re:`, `fw:` or `fwd:`, which may have a blob before the colon; nil where
  /// there is no such thing.
  private static func behindReply(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var rest = text
    while let behind = behindBlob(rest) { rest = behind }
    if rest.hasPrefix("re") {
      rest = rest.dropFirst(2)
    } else if rest.hasPrefix("fwd") {
      rest = rest.dropFirst(3)
    } else if rest.hasPrefix("fw") {
      rest = rest.dropFirst(2)
    } else {
      return nil
    }
    if let behind = behindBlob(rest) { rest = behind }
    return rest.first == UInt8(ascii: ":") ? rest.dropFirst() : nil
  }

  /// What follows a `[…]`; nil where the text does not begin with one.
  private static func behindBlob(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard text.first == UInt8(ascii: "[") else { return nil }
    let inner = text.dropFirst()
    let end = inner.firstIndex { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
    guard let end, inner[end] == UInt8(ascii: "]") else { return nil }
    return inner[(end + 1)...]
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasPrefix(_ text: StaticString) -> Bool {
    starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  fileprivate func hasSuffix(_ text: StaticString) -> Bool {
    suffix(text.utf8CodeUnitCount).elementsEqual(
      UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
