internal import ActorRuntime

/// Memory that several files are read into one after the other: fresh memory costs the kernel more
/// to hand out, page by page, than to fill.
final class WindowBuffers: Sendable {
  /// `@unchecked Sendable`: what is in `spare` nobody touches, and whoever takes it out is its only
  /// owner until it is given back.
  private struct Buffer: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer
  }

  private let spare = Lock<[Buffer]>([])

  deinit {
    for buffer in spare.withLock({ $0 }) { buffer.memory.deallocate() }
  }

  /// Memory of any size, the caller's until ``giveBack(_:)``.
  func take() -> UnsafeMutableRawBufferPointer? {
    spare.withLock { $0.popLast() }?.memory
  }

  func giveBack(_ memory: UnsafeMutableRawBufferPointer) {
    let buffer = Buffer(memory: memory)
    spare.withLock { $0.append(buffer) }
  }
}
