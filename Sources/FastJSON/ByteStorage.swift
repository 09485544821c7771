/// The memory behind a writer, shared by its copies until one of them writes.
///
/// `@unchecked Sendable`: the bytes are changed only through a ``JSONWriter`` that is the one owner
/// of the storage; shared, they are only read.
@usableFromInline
final class ByteStorage: @unchecked Sendable {
  @usableFromInline let base: UnsafeMutablePointer<UInt8>
  let capacity: Int

  init(capacity: Int) {
    base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit { base.deallocate() }
}
