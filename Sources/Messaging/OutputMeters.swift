internal import ZeroMQSockets

/// What may wait in libzmq's queues for peers that do not read, in bytes.
struct OutputMeters {
  static let peerBytes = 64 << 20
  static let totalBytes = 512 << 20
  private static let rememberedPeers = 1024

  private let total = OutputMeter()
  private var meters: [PeerAddress: OutputMeter] = [:]

  /// The meter for one more message; nil where too much waits for the peer, or for all together
  /// and some of it for this one.
  mutating func meter(of peer: PeerAddress, for bytes: Int) -> OutputMeter? {
    if meters.count > Self.rememberedPeers { meters = meters.filter { $0.value.bytes > 0 } }
    let meter = meters[peer] ?? OutputMeter(within: total)
    meters[peer] = meter
    let isFull =
      meter.bytes + bytes > Self.peerBytes
      || meter.bytes > 0 && total.bytes + bytes > Self.totalBytes
    return isFull ? nil : meter
  }
}
