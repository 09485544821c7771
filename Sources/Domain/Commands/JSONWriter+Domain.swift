internal import EventSourcing
internal import FastJSON

extension JSONWriter {
  /// A number, a whole one without fraction: 10, not 10.0.
  mutating func number(_ value: Double) {
    if let whole = Int(exactly: value) { self.value(whole) } else { self.value(value) }
  }

  mutating func value(_ time: Timestamp) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 27) { buffer in
      time.write(to: buffer)
      value(utf8: UnsafeBufferPointer(buffer))
    }
  }

  mutating func member(_ key: StaticString, _ id: some NumberedID) {
    self.key(key)
    value(id.rawValue)
  }

  /// The id, or null.
  mutating func member<ID: NumberedID>(_ key: StaticString, nullable id: ID?) {
    self.key(key)
    value(id?.rawValue)
  }

  mutating func member(_ key: StaticString, _ text: String) {
    self.key(key)
    value(text)
  }

  mutating func member(_ key: StaticString, _ time: Timestamp) {
    self.key(key)
    value(time)
  }

  /// The text, or null.
  mutating func member(_ key: StaticString, nullable text: String?) {
    self.key(key)
    value(text)
  }

  mutating func member(_ key: StaticString, _ bool: Bool) {
    self.key(key)
    value(bool)
  }

  /// Nothing where the value is nil.
  mutating func member(_ key: StaticString, ifGiven text: String?) {
    if let text { member(key, text) }
  }

  /// Nothing where the value is nil.
  mutating func member(_ key: StaticString, ifGiven bool: Bool?) {
    if let bool { member(key, bool) }
  }

  /// Nothing where the value is nil.
  mutating func member(_ key: StaticString, ifGiven texts: [String]?) {
    guard let texts else { return }
    self.key(key)
    beginArray()
    for text in texts { value(text) }
    endArray()
  }
}
