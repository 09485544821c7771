/// Where the answers to commands under way go, by the token that travels with each.
struct ReplySlots {
  struct Destination {
    let peer: PeerAddress
    let requestID: String
  }

  private var slots: [Destination?] = []
  private var free: [Int] = []

  mutating func add(_ destination: Destination) -> Int {
    if let token = free.popLast() {
      slots[token] = destination
      return token
    }
    slots.append(destination)
    return slots.count - 1
  }

  mutating func take(_ token: Int) -> Destination? {
    defer {
      slots[token] = nil
      free.append(token)
    }
    return slots[token]
  }
}
