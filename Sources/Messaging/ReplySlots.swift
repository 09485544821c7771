/// Where the answers to commands under way go, by the token that travels with each.
struct ReplySlots {
  struct Destination {
    let peer: PeerAddress
    /// Of the whole request.
    let bytes: Int
  }

  private var slots: [Destination] = []
  /// Tokens of free slots; the first ``freeCount`` count.
  private var free: [Int] = []
  private var freeCount = 0
  /// What the requests under way came to.
  private(set) var bytes = 0

  mutating func add(_ destination: Destination) -> Int {
    bytes += destination.bytes
    guard freeCount > 0 else {
      slots.append(destination)
      free.append(0)
      return slots.count - 1
    }
    freeCount -= 1
    let token = free[freeCount]
    slots[token] = destination
    return token
  }

  /// - Precondition: the token was given out, and not taken back yet.
  mutating func take(_ token: Int) -> PeerAddress {
    bytes -= slots[token].bytes
    free[freeCount] = token
    freeCount += 1
    return slots[token].peer
  }
}
