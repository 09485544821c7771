/// Where the answers to commands under way go, by the token that travels with each.
struct ReplySlots {
  struct Destination {
    let peer: PeerAddress
    /// Of the whole request.
    let bytes: Int
  }

  private var slots: [Destination?] = []
  private var free: [Int] = []
  /// What the requests under way came to.
  private(set) var bytes = 0

  mutating func add(_ destination: Destination) -> Int {
    bytes += destination.bytes
    if let token = free.popLast() {
      slots[token] = destination
      return token
    }
    slots.append(destination)
    return slots.count - 1
  }

  mutating func take(_ token: Int) -> Destination? {
    defer {
      bytes -= slots[token]?.bytes ?? 0
      slots[token] = nil
      free.append(token)
    }
    return slots[token]
  }
}
