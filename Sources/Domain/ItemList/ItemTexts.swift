/// The texts of a list's items, by item, in one piece of memory: a hundred thousand short texts have
/// no object each. The first is nobody's.
///
/// A text that is dropped is overwritten, so that what is erased of a list is in its state no more.
struct ItemTexts: Sendable {
  private struct Span {
    var start = 0
    var count = 0

    var range: Range<Int> { start..<start + count }
  }

  private var bytes: [UInt8] = []
  private var spans = [Span()]
  /// How many of the bytes belong to no text any more.
  private var unused = 0

  /// Fewer unused bytes than this are not worth a new piece of memory.
  private static let unusedLimit = 4096

  var count: Int { spans.count }

  /// How many bytes the texts have together.
  var byteCount: Int { bytes.count - unused }

  /// How many bytes of memory it takes.
  var memoryFootprint: Int { bytes.capacity + spans.capacity * MemoryLayout<Span>.stride }

  /// The item's text; empty where it has none any more.
  subscript(item: ItemID) -> String {
    String(decoding: bytes[spans[item.rawValue].range], as: UTF8.self)
  }

  /// Whether the item has this text, byte for byte: two strings are equal that are not spelt alike.
  func has(_ text: String, at item: ItemID) -> Bool {
    text.utf8.elementsEqual(bytes[spans[item.rawValue].range])
  }

  mutating func append(_ text: String) { spans.append(store(text)) }

  mutating func replace(_ item: ItemID, with text: String) {
    drop(item)
    spans[item.rawValue] = store(text)
  }

  mutating func drop(_ item: ItemID) {
    let span = spans[item.rawValue]
    for index in span.range { bytes[index] = 0 }
    spans[item.rawValue] = Span()
    unused += span.count
    if unused > Self.unusedLimit, unused > bytes.count / 2 { compact() }
  }

  /// Takes away the last ones, which have no text, until `count` are left.
  mutating func shorten(to count: Int) { spans.removeSubrange(count...) }

  private mutating func store(_ text: String) -> Span {
    let span = Span(start: bytes.count, count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
    return span
  }

  private mutating func compact() {
    var packed: [UInt8] = []
    packed.reserveCapacity(bytes.count - unused)
    for index in spans.indices {
      let start = packed.count
      packed += bytes[spans[index].range]
      spans[index].start = start
    }
    bytes = packed
    unused = 0
  }
}

extension ItemTexts: Equatable {
  /// Where in memory a text lies hangs on history.
  static func == (a: ItemTexts, b: ItemTexts) -> Bool {
    a.count == b.count
      && zip(a.spans, b.spans).allSatisfy { a.bytes[$0.range] == b.bytes[$1.range] }
  }
}
