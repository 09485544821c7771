/// The streams of a shard beside whose state something lives, and when time changes it next.
struct LiveStreams {
  private var slots: [StreamID: AggregateSlot] = [:]
  /// No later than the earliest of their deadlines: one that was put off since is noticed when it
  /// would have come, so that putting it off, as every message of a drag does, costs no search.
  private(set) var deadline: Int?

  /// Takes in what the stream's owner says of itself now.
  mutating func update(_ slot: AggregateSlot) {
    guard let deadline = slot.owner.liveDeadline else {
      slots[slot.stream] = nil
      if slots.isEmpty { self.deadline = nil }
      return
    }
    slots[slot.stream] = slot
    self.deadline = min(self.deadline ?? deadline, deadline)
  }

  /// Calls `body` with those that time changes by `now`.
  mutating func advance(to now: Int, _ body: (AggregateSlot) -> Void) {
    guard let deadline, deadline <= now else { return }
    self.deadline = nil
    for slot in Array(slots.values) {
      if let due = slot.owner.liveDeadline, due <= now { body(slot) }
      update(slot)
    }
  }
}
