internal import Glibc

extension StreamID {
  /// The stream of a name in bytes, which the caller knows to be one.
  init(name: UnsafeRawBufferPointer) {
    guard let category = Self.category(of: name) else {
      preconditionFailure("the bytes are no stream's name")
    }
    self.category = category
    description = String(decoding: name, as: UTF8.self)
  }

  /// Whether bytes are a stream's name, told without making one.
  public static func isName(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let category = category(of: bytes) else { return false }
    let name = UnsafeRawBufferPointer(rebasing: bytes[category.prefix.utf8CodeUnitCount...])
    guard name.count <= nameLengthLimit else { return false }
    var isPartDots = true
    for byte in name {
      switch byte {
      case UInt8(ascii: "."): break
      case UInt8(ascii: "/"):
        if isPartDots { return false }
        isPartDots = true
      default:
        guard isAllowed(byte) else { return false }
        isPartDots = false
      }
    }
    return !isPartDots
  }

  /// The category that bytes begin with, the slash behind it included.
  static func category(of bytes: UnsafeRawBufferPointer) -> StreamCategory? {
    // By the first letter, which all of them differ in.
    let category: StreamCategory
    switch bytes.first {
    case UInt8(ascii: "m"): category = .mailbox
    case UInt8(ascii: "l"): category = .list
    case UInt8(ascii: "s"): category = .system
    default: return nil
    }
    let prefix = category.prefix
    guard bytes.count >= prefix.utf8CodeUnitCount, let start = bytes.baseAddress,
      memcmp(start, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
    else { return nil }
    return category
  }
}

extension StreamCategory {
  /// What the names of its streams begin with.
  fileprivate var prefix: StaticString {
    switch self {
    case .mailbox: "mailbox/"
    case .list: "list/"
    case .system: "system/"
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the first bytes are those of `text`.
  func hasPrefix(_ text: String) -> Bool {
    let length = text.utf8.count
    return length <= count && UnsafeRawBufferPointer(rebasing: self[..<length]).isText(text)
  }

  /// Whether these are the bytes of `text`.
  func isText(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { equals(UnsafeRawBufferPointer($0)) }
  }

  /// Whether the bytes of both are the same.
  @inline(__always)
  func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    guard other.count == count, let start = other.baseAddress, let own = baseAddress else {
      return other.isEmpty && isEmpty
    }
    return memcmp(start, own, count) == 0
  }
}
