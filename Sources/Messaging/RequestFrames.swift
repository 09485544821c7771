internal import Wire
internal import ZeroMQSockets

/// Receives requests frame by frame into the same two frames again and again.
final class RequestFrames {
  struct Message {
    let peer: PeerAddress
    /// Valid until the next receive; nil where the message did not have the form of a request.
    let content: UnsafeRawBufferPointer?
    let size: Int
  }

  private let identity = Frame()
  private let content = Frame()
  private let surplus = Frame()

  /// The next request: routing id, an empty delimiter or not, one content frame. What comes beyond
  /// is thrown away.
  func receive(from router: Socket) -> Message? {
    guard router.receive(into: identity) else { return nil }
    guard identity.hasMore, router.receive(into: content) else {
      return Message(
        peer: PeerAddress(identity.bytes, hasDelimiter: false), content: nil, size: 0)
    }
    var hasDelimiter = false
    if content.bytes.isEmpty, content.hasMore, router.receive(into: content) {
      hasDelimiter = true
    }
    let hasSurplus = content.hasMore && discardRest(of: router)
    return Message(
      peer: PeerAddress(identity.bytes, hasDelimiter: hasDelimiter),
      content: hasSurplus ? nil : content.bytes, size: content.bytes.count)
  }

  private func discardRest(of router: Socket) -> Bool {
    while router.receive(into: surplus), surplus.hasMore {}
    return true
  }
}
