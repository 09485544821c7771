/// Memory that text is written to.
final class TextMemory {
  let start: UnsafeMutableRawPointer
  let capacity: Int

  /// - Parameters:
  ///   - other: what is there already.
  ///   - count: how many bytes of it.
  init(capacity: Int, copying other: TextMemory? = nil, count: Int = 0) {
    self.capacity = capacity
    start = .allocate(byteCount: capacity, alignment: 1)
    if let other { start.copyMemory(from: other.start, byteCount: count) }
  }

  deinit { start.deallocate() }
}

/// A message's text, kept until the last one who needs it lets go: one thread writes it, another
/// gives it to libzmq, and libzmq's thread sends it from where it lies.
///
/// `@unchecked Sendable`: the memory is this object's alone and never changes, from when it is made
/// until it ends.
public final class MessageBytes: @unchecked Sendable {
  private let memory: TextMemory
  public let count: Int

  /// - Parameters:
  ///   - memory: nobody else's from here on.
  ///   - count: how much of it is text.
  init(_ memory: TextMemory, count: Int) {
    self.memory = memory
    self.count = count
  }

  /// A copy of `text`.
  public convenience init(_ text: [UInt8]) {
    let memory = TextMemory(capacity: text.count)
    UnsafeMutableRawBufferPointer(start: memory.start, count: text.count).copyBytes(from: text)
    self.init(memory, count: text.count)
  }

  /// - Parameter body: gets the text, which stays where it is as long as this object is there.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    defer { withExtendedLifetime(self) {} }
    return body(UnsafeRawBufferPointer(start: memory.start, count: count))
  }
}
