internal import CZeroMQ

/// What libzmq gives back once it needs a message's bytes no more.
private final class KeptMessage: Sendable {
  let owner: any AnyObject & Sendable
  let meter: OutputMeter
  let bytes: Int

  init(_ owner: any AnyObject & Sendable, _ meter: OutputMeter, _ bytes: Int) {
    self.owner = owner
    self.meter = meter
    self.bytes = bytes
  }
}

extension Socket {
  /// Sends a message's last frame from where it lies, counted by `meter` for as long as libzmq
  /// holds it.
  ///
  /// - Parameters:
  ///   - content: stays as it is as long as `owner` is there.
  ///   - owner: let go of on a thread of libzmq's.
  public func send(
    _ content: UnsafeRawBufferPointer, keptBy owner: any AnyObject & Sendable, meter: OutputMeter
  ) -> SendResult {
    meter.add(content.count)
    let hint = Unmanaged.passRetained(KeptMessage(owner, meter, content.count)).toOpaque()
    let sent = swipestream_send_kept(
      handle, content.baseAddress, content.count,
      { _, hint in
        guard let hint else { return }
        let message = Unmanaged<KeptMessage>.fromOpaque(hint).takeRetainedValue()
        message.meter.add(-message.bytes)
      }, hint, ZMQ_DONTWAIT)
    if sent >= 0 { return .sent }
    return zmq_errno() == EHOSTUNREACH ? .unroutable : .full
  }
}
