/// A subscription's messages that its client has not shown to have taken: a grant of credit stands
/// for as many events taken, the oldest first.
struct OutstandingMessages {
  private struct Message {
    /// Events sent before it.
    let before: Int
    var events: Int
    var bytes: Int
  }

  private var messages: [Message] = []
  private(set) var bytes = 0

  /// - Parameter before: events sent before the message.
  mutating func add(events: Int, bytes: Int, before: Int) {
    messages.append(Message(before: before, events: events, bytes: bytes))
    self.bytes += bytes
  }

  /// The client grants credit for `count` events, since it took as many.
  mutating func acknowledge(_ count: Int) {
    var rest = count
    var done = 0
    while done < messages.count, messages[done].events <= rest {
      rest -= messages[done].events
      bytes -= messages[done].bytes
      done += 1
    }
    messages.removeFirst(done)
    guard rest > 0, !messages.isEmpty else { return }
    let share = messages[0].bytes * rest / messages[0].events
    messages[0].events -= rest
    messages[0].bytes -= share
    bytes -= share
  }

  /// The messages after the first `sent` events did not go out.
  mutating func forget(after sent: Int) {
    while let last = messages.last, last.before >= sent {
      bytes -= last.bytes
      messages.removeLast()
    }
  }
}
