import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing
import Wire

@testable import Messaging

/// The subscription's state machine, without sockets or threads.
struct SubscriptionTests {
  private let peer = [UInt8](repeating: 1, count: 5).withUnsafeBytes {
    PeerAddress($0, hasDelimiter: false)
  }

  private func event(
    _ position: UInt64, _ stream: String = "list/a", bytes: Int = 2
  ) throws -> RecordedEvent {
    RecordedEvent(
      position: GlobalPosition(position), stream: try StreamID(stream),
      revision: Revision(position),
      type: "item.edited", schema: 1, time: Timestamp(microseconds: 0),
      data: Array("\"\(String(repeating: "x", count: bytes))\"".utf8)[...],
      meta: Array("{}".utf8)[...])
  }

  private func subscription(credit: Int, prefix: String? = nil, from: UInt64 = 0) -> Subscription {
    Subscription(
      id: "s1", peer: peer, filter: EventFilter(streamPrefix: prefix), from: GlobalPosition(from),
      credit: credit, now: 0)
  }

  private func pairs(_ frame: SubscriptionFrame?) throws -> [[Int?]] {
    guard let frame else { return [] }
    return try JSON(parsing: frame.content.withBytes { Array($0) })["events"]?.array?.map {
      [$0["position"]?.integer, $0["prev"]?.integer]
    } ?? []
  }

  @Test func sendsWhatCreditAllowsWithTheEventBefore() throws {
    var subscription = subscription(credit: 2)
    let events = try (1...3).map { try event($0) }
    #expect(try pairs(subscription.take(events)) == [[1, 0], [2, 1]])
    #expect(subscription.credit == 0)
    #expect(!subscription.isReady(head: GlobalPosition(3), now: 0))
    subscription.grant(1)
    #expect(try pairs(subscription.take(Array(events[2...]))) == [[3, 2]])
  }

  @Test func aFilterAdvancesTheCursorButNotPrev() throws {
    var subscription = subscription(credit: 10, prefix: "list/b")
    #expect(subscription.take([try event(1), try event(2)]) == nil)
    #expect(subscription.point.cursor == GlobalPosition(2))
    #expect(try pairs(subscription.take([try event(3, "list/b")])) == [[3, 0]])
    #expect(subscription.credit == 9)
  }

  @Test func aMessageEndsAtItsSize() throws {
    var subscription = subscription(credit: 100)
    let events = try (1...4).map { try event($0, bytes: 60_000) }
    #expect(try pairs(subscription.take(events)).count == 3)
    #expect(subscription.point.cursor == GlobalPosition(3))
  }

  @Test func saysOnceThatItIsLive() {
    var subscription = subscription(credit: 1, from: 5)
    #expect(subscription.announceLive(head: GlobalPosition(6)) == nil)
    #expect(subscription.announceLive(head: GlobalPosition(5)) != nil)
    #expect(subscription.announceLive(head: GlobalPosition(5)) == nil)
  }

  @Test func goesBackToAMessageThatCouldNotBeSent() throws {
    var subscription = subscription(credit: 10)
    let events = try (1...4).map { try event($0) }
    _ = subscription.take(Array(events[0..<1]))
    let second = subscription.take(Array(events[1..<2]))
    let third = subscription.take(Array(events[2..<3]))
    let refused = try #require(second)
    let later = try #require(third)
    subscription.rewind(to: refused, now: 0)
    // Of before it went back, so void.
    subscription.rewind(to: later, now: 0)
    #expect(subscription.point.cursor == GlobalPosition(1))
    #expect(subscription.credit == 9)
    #expect(!subscription.isReady(head: GlobalPosition(4), now: 0))
    #expect(subscription.isReady(head: GlobalPosition(4), now: 1000))
    #expect(try pairs(subscription.take(Array(events[1...]))) == [[2, 1], [3, 2], [4, 3]])
  }

  @Test func countsWhatIsOutstandingUntilItIsGranted() throws {
    var subscription = subscription(credit: 10)
    let events = try (1...4).map { try event($0) }
    let taken = [subscription.take(Array(events[0..<2])), subscription.take(Array(events[2..<4]))]
    let first = try #require(taken[0])
    let second = try #require(taken[1])
    let both = first.content.count + second.content.count
    #expect(subscription.outstanding.bytes == both)
    subscription.grant(1)
    #expect(subscription.outstanding.bytes == both - first.content.count / 2)
    subscription.rewind(to: second, now: 0)
    #expect(subscription.outstanding.bytes == first.content.count - first.content.count / 2)
    subscription.grant(1)
    #expect(subscription.outstanding.bytes == 0)
    subscription.grant(100)
    #expect(subscription.outstanding.bytes == 0)
  }

  @Test func aMessageIsWrittenAsASingleEventIs() throws {
    var subscription = subscription(credit: 10)
    let events = [
      try event(1), try event(2, "mailbox/in.box+1@x/y_z-", bytes: 70_000), try event(3),
    ]
    let taken = subscription.take(events)
    let frame = try #require(taken)
    var text = JSONWriter()
    text.beginObject()
    text.key("sub")
    text.value("s1")
    text.key("events")
    text.beginArray()
    for event in events {
      event.write(previous: GlobalPosition(event.position.rawValue - 1), to: &text)
    }
    text.endArray()
    text.endObject()
    #expect(frame.content.withBytes { $0.elementsEqual(text.bytes) })
  }

  /// Whatever is granted, refused and read in whatever pieces: every event once, in order, each
  /// naming the one before.
  @Test(arguments: SeededRandom.seeds(50))
  func deliversEachEventOnce(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let events = try (1...200).map { try event($0, random.chance(oneIn: 3) ? "list/b" : "list/a") }
    let wanted = events.filter { $0.stream.description == "list/b" }.map(\.position)
    var subscription = subscription(credit: 5, prefix: "list/b")
    var received: [GlobalPosition] = []
    var now = 0
    while subscription.point.cursor < GlobalPosition(200) {
      now += 1000
      let start = Int(subscription.point.cursor.rawValue)
      let end = min(200, start + Int.random(in: 1...20, using: &random))
      let before = received.last ?? .start
      if let frame = subscription.take(Array(events[start..<end])) {
        if random.chance(oneIn: 4) {
          subscription.rewind(to: frame, now: now)
          continue
        }
        let pairs = try pairs(frame)
        #expect(pairs.first?[1] == Int(before.rawValue), "seed \(seed)")
        received += pairs.map { GlobalPosition(UInt64($0[0] ?? 0)) }
      }
      #expect(subscription.credit >= 0)
      if subscription.credit == 0 { subscription.grant(Int.random(in: 1...9, using: &random)) }
    }
    #expect(received == wanted, "seed \(seed)")
  }
}

extension Subscription {
  /// Takes in events until one has no room, and ends the message.
  fileprivate mutating func take(_ events: [RecordedEvent]) -> SubscriptionFrame? {
    for event in events where !event.withView({ take($0) }) { break }
    return endMessage()
  }
}
