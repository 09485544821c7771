import Glibc

/// What is handed to GMime of a message: the message as it is, or where it could cut a header,
/// exhaust the stack or the memory, a tamed copy. Digest and size are of the original.
struct GMimeInput {
  /// The first bytes of `source` to parse.
  private var range: Range<Int>
  /// A changed copy of `source`, once there was something to change.
  private var copy: [UInt8]?
  private let source: UnsafeRawBufferPointer

  /// Own header beyond which fields are no longer read.
  private static let headerLimit = 1 << 20
  /// Bytes and colons of an address field that are read: GMime recurses for each nested group.
  private static let addressLimit = (bytes: 64 << 10, colons: 64)
  /// Every part and every header field costs GMime memory. Text that only looks like so many
  /// of them is cut for the preview, nothing else.
  private static let budget = (total: 200_000, part: 10, field: 1)
  private static let addressFields: Set<String> = [
    "from", "to", "cc", "bcc", "sender", "reply-to", "disposition-notification-to",
  ]

  init(_ source: UnsafeRawBufferPointer) {
    self.source = source
    range = 0..<source.count
    range = firstField()..<source.count
    scan()
  }

  /// GMime refuses a header whose first line is no field: blanks before one, or dirt in a few
  /// lines before it, are left out.
  private func firstField() -> Int {
    var start = 0
    for _ in 0..<20 where start < source.count {
      let end = lineEnd(from: start)
      let line = UnsafeRawBufferPointer(rebasing: source[start..<end])
      if line.isBlank { break }
      let indent = line.prefix { $0 == 0x20 || $0 == 0x09 }.count
      if HeaderLine.name(UnsafeRawBufferPointer(rebasing: line[indent...])) != nil {
        return start + indent
      }
      start = end
    }
    return 0
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard let copy else { return body(UnsafeRawBufferPointer(rebasing: source[range])) }
    return copy.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  private mutating func scan() {
    var left = Self.budget.total
    var isOwnHeader = true
    var addressStart: Int?
    var colons = 0
    var start = range.lowerBound
    while start < range.upperBound, left > 0 {
      let end = lineEnd(from: start)
      let line = UnsafeRawBufferPointer(rebasing: source[start..<end])
      if isOwnHeader { isOwnHeader = noteOwnHeader(line, at: start) }
      if line[0] == 0x2D, line.count > 1, line[1] == 0x2D { left -= Self.budget.part }
      if line[0] != 0x20 && line[0] != 0x09 {
        addressStart = nil
        if memchr(line.baseAddress!, 0x3A, min(line.count, 80)) != nil,
          let name = HeaderLine.name(line)
        {
          left -= Self.budget.field
          if Self.isAddressField(name) { (addressStart, colons) = (start, 0) }
        }
      }
      if let addressStart { tame(start..<end, field: addressStart, &colons) }
      start = end
    }
    if left <= 0 { range = range.lowerBound..<start }
  }

  private func lineEnd(from start: Int) -> Int {
    let newline = memchr(source.baseAddress! + start, 0x0A, range.upperBound - start)
    return newline.map { UnsafeRawPointer($0) - source.baseAddress! + 1 } ?? range.upperBound
  }

  private static func isAddressField(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard name.count <= 32 else { return false }
    let name = String(decoding: name, as: UTF8.self).lowercased()
    return addressFields.contains(name.hasPrefix("resent-") ? String(name.dropFirst(7)) : name)
  }

  /// GMime keeps header values as C strings, which a NUL would cut. False after the header.
  private mutating func noteOwnHeader(_ line: UnsafeRawBufferPointer, at start: Int) -> Bool {
    if line.isBlank { return false }
    if memchr(line.baseAddress!, 0, line.count) != nil {
      for index in line.indices where line[index] == 0 { blank(start + index) }
    }
    let kept = max(0, range.lowerBound + Self.headerLimit - start)
    if kept < line.count { blankRest(of: line, at: start, from: kept) }
    return true
  }

  /// Blanks what an address field has beyond the limits.
  private mutating func tame(_ line: Range<Int>, field: Int, _ colons: inout Int) {
    let kept = max(0, field + Self.addressLimit.bytes - line.lowerBound)
    let bytes = UnsafeRawBufferPointer(rebasing: source[line])
    if kept < bytes.count { blankRest(of: bytes, at: line.lowerBound, from: kept) }
    var next = 0
    while next < bytes.count,
      let colon = memchr(bytes.baseAddress! + next, 0x3A, bytes.count - next)
    {
      let index = UnsafeRawPointer(colon) - bytes.baseAddress!
      colons += 1
      if colons > Self.addressLimit.colons { blank(line.lowerBound + index) }
      next = index + 1
    }
  }

  private mutating func blankRest(of line: UnsafeRawBufferPointer, at start: Int, from kept: Int) {
    for index in kept..<line.count where line[index] != 0x0A { blank(start + index) }
  }

  private mutating func blank(_ index: Int) {
    if copy == nil { copy = Array(source) }
    copy![index] = 0x20
  }
}
