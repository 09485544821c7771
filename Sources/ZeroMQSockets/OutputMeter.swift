internal import CZeroMQ
internal import Glibc
internal import Synchronization

/// Counts the bytes that libzmq holds for a peer: its own limit counts messages, whatever their
/// size.
public final class OutputMeter: Sendable {
  private let count = Atomic<Int>(0)
  private let total: OutputMeter?

  /// - Parameter total: counts along.
  public init(within total: OutputMeter? = nil) { self.total = total }

  /// Given to libzmq and not yet on its way.
  public var bytes: Int { count.load(ordering: .relaxed) }

  func add(_ bytes: Int) {
    count.add(bytes, ordering: .relaxed)
    total?.add(bytes)
  }
}

/// What libzmq gives back with a message's memory.
private final class MeteredMessage: Sendable {
  let meter: OutputMeter
  let bytes: Int

  init(_ meter: OutputMeter, _ bytes: Int) {
    self.meter = meter
    self.bytes = bytes
  }
}

extension Socket {
  /// Sends a message's last frame, counted by `meter` for as long as libzmq holds it.
  public func send(_ content: UnsafeRawBufferPointer, meter: OutputMeter) -> SendResult {
    meter.add(content.count)
    let hint = Unmanaged.passRetained(MeteredMessage(meter, content.count)).toOpaque()
    let sent = swipestream_send_metered(
      handle, content.baseAddress, content.count,
      { copy, hint in
        free(copy)
        guard let hint else { return }
        let message = Unmanaged<MeteredMessage>.fromOpaque(hint).takeRetainedValue()
        message.meter.add(-message.bytes)
      }, hint, ZMQ_DONTWAIT)
    if sent >= 0 { return .sent }
    return zmq_errno() == EHOSTUNREACH ? .unroutable : .full
  }
}
