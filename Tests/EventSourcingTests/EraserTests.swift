import ActorRuntime
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@Suite("Following the log and erasing", .timeLimit(.minutes(2)))
struct EraserTests {
  private let store = InMemoryEventStore()
  private let progress = NotedProgress()
  private let inbox = stream("mailbox/a")
  private let todo = stream("list/b")

  private static let erasable = [
    ErasableEvents(
      category: .mailbox, subject: "mail", subjects: "mails", purge: "mail.purged",
      forms: ["mail.delivered": .init(kept: ["mail", "read"], emptied: ["from"])]),
    ErasableEvents(
      category: .list, subject: "item", subjects: "items", purge: "item.purged",
      forms: [
        "item.added": .init(kept: ["item"], emptied: ["text"]),
        "item.edited": .init(kept: ["item"], emptied: ["text"]),
      ]),
  ]

  private func eraser(_ followers: [any ErasureFollower] = []) -> Eraser {
    Eraser(
      store: store, erasable: Self.erasable, followers: followers, progress: progress,
      clock: SystemClock(), retryMilliseconds: 5)
  }

  private func add(_ type: EventType, _ stream: StreamID, _ data: JSON) {
    var batch = AppendBatch(time: Timestamp(microseconds: 1))
    batch.begin(stream, expecting: .any)
    let id = CommandID("c\(store.head)")!
    batch.add(type, command: CommandKey(id, in: stream)) {
      data.write(to: &$0)
    } meta: {
      EventMeta.write(
        command: id, via: nil, metadata: CommandMetadata(by: #"a "hash":"b" name"#),
        completion: .init(
          content: ContentHash(rawValue: 77), eventCount: 1, outcome: Array("{}".utf8)),
        to: &$0)
    }
    store.append(batch) { _ in }
  }

  private func fill() {
    for mail in 1...3 {
      let data: JSON = [
        "mail": .integer(mail), "from": .string("secret \(mail) é \"q\" \n"), "new-field": "secret",
        "read": true,
      ]
      add("mail.delivered", inbox, data)
      add("item.added", todo, ["item": .integer(mail), "text": .string("secret item \(mail)")])
      add("item.edited", todo, ["item": .integer(mail), "text": .string("secret again \(mail)")])
    }
  }

  private var events: [RecordedEvent] {
    get throws { try store.read(after: .start, limit: ReadLimit(events: 100_000)) }
  }

  private var records: [JSON] {
    get throws {
      try store.read(stream("system/erasures"), after: .none, limit: ReadLimit(events: 1000))
        .map { try JSON(parsing: $0.data) }
    }
  }

  private func wait(_ eraser: Eraser, for position: GlobalPosition) async {
    while eraser.status.position < position { await Task.yield() }
  }

  @Test("Text goes, the rest stays, and the log says what was done")
  func erases() async throws {
    fill()
    let before = try events
    add("mail.purged", inbox, ["mail": 1])
    add("mail.purged", inbox, ["mail": 2, "erased": true])
    add("item.purged", todo, ["item": 3, "erased": true])
    let asked = store.head
    let eraser = eraser()
    await eraser.start()
    await wait(eraser, for: asked)
    for (old, new) in zip(before, try events) {
      guard [4, 8, 9].contains(old.position.rawValue) else {
        #expect(old == new)
        continue
      }
      #expect(new.data.count == old.data.count && new.meta.count == old.meta.count)
      let data = try JSON(parsing: new.data)
      #expect(
        data
          == (old.position.rawValue == 4
            ? ["mail": 2, "from": "", "read": true] : ["item": 3, "text": ""]))
      let command = try #require(EventMeta.recordedCommand(in: new, parser: JSONParser()))
      #expect(command.content == .erased)
      let meta = try JSON(parsing: new.meta)
      #expect(meta["by"] == #"a "hash":"b" name"#)
    }
    #expect(
      try records == [
        ["stream": "mailbox/a", "mails": [2], "positions": [4], "purge": 11],
        ["stream": "list/b", "items": [3], "positions": [8, 9], "purge": 12],
      ])
    #expect(eraser.status.completed == 2 && eraser.status.error == nil)
    await eraser.stop()
    #expect(progress.position == eraser.status.position)
  }

  @Test("A log that takes nothing and a follower that fails are tried again")
  func triesAgain() async throws {
    fill()
    add("mail.purged", inbox, ["mail": 2, "erased": true])
    let asked = store.head
    store.refuseAppends(because: "the disk is full")
    let follower = StubbornFollower(failures: 3)
    let eraser = eraser([follower])
    await eraser.start()
    while eraser.status.error?.contains("the disk is full") != true { await Task.yield() }
    #expect(eraser.status.pending == 1)
    #expect(follower.calls == 0)
    store.refuseAppends(because: nil)
    await wait(eraser, for: asked)
    #expect(follower.calls == 4)
    #expect(try records.count == 1)
    while eraser.status.error != nil { await Task.yield() }
    await eraser.stop()
  }

  @Test("A start goes on with what was interrupted, and searches only what is not known")
  func resumes() async throws {
    fill()
    add("mail.purged", inbox, ["mail": 2, "erased": true])
    let asked = store.head
    let first = eraser([StubbornFollower(failures: .max)])
    await first.start()
    while first.status.error == nil { await Task.yield() }
    await first.stop()
    #expect(try records.isEmpty)
    let second = eraser()
    await second.start()
    await wait(second, for: asked)
    await second.stop()
    #expect(try records.count == 1)
    // The record alone tells where to go on: nothing is done twice.
    progress.forget()
    let third = eraser()
    await third.start()
    await wait(third, for: store.head)
    await third.stop()
    #expect(try records.count == 1)
    // What was noted is believed.
    add("mail.purged", inbox, ["mail": 1, "erased": true])
    progress.save(store.head, log: store.logID)
    let fourth = eraser()
    await fourth.start()
    await wait(fourth, for: store.head)
    await fourth.stop()
    #expect(try records.count == 1)
  }

  @Test("Many at once are done in one pass, and long records are split")
  func many() async throws {
    for edit in 0..<10_050 {
      add("item.edited", todo, ["item": 1, "text": .string("secret \(edit)")])
    }
    for mail in 1...500 {
      add("mail.delivered", inbox, ["mail": .integer(mail), "from": "secret"])
    }
    for mail in 1...500 { add("mail.purged", inbox, ["mail": .integer(mail), "erased": true]) }
    add("item.purged", todo, ["item": 1, "erased": true])
    let asked = store.head
    let eraser = eraser()
    await eraser.start()
    await wait(eraser, for: asked)
    await eraser.stop()
    let texts = try events.map { String(decoding: $0.data, as: UTF8.self) }
    #expect(!texts.contains { $0.contains("secret") })
    let mails = try records.compactMap { $0["mails"]?.array }
    #expect(mails.count == 1 && mails[0].count == 500)
    let positions = try records.filter { $0["items"] != nil }.compactMap { $0["positions"]?.array }
    #expect(positions.map(\.count) == [10_000, 50])
  }
}

private func stream(_ name: String) -> StreamID {
  do { return try StreamID(name) } catch { fatalError("\(error)") }
}

/// Fails so many times, then does its work, which is none.
private final class StubbornFollower: ErasureFollower {
  private let state: Lock<(failures: Int, calls: Int)>

  init(failures: Int) { state = Lock((failures, 0)) }

  var calls: Int { state.withLock { $0.calls } }

  func forget(
    _ streams: Set<StreamID>, upTo position: GlobalPosition
  ) async throws(ServiceError) {
    let fails = state.withLock { state in
      state.calls += 1
      return state.calls <= state.failures
    }
    if fails { throw ServiceError(.unavailable, "not now") }
  }
}

private final class NotedProgress: ErasureProgress {
  private let noted = Lock<GlobalPosition?>(nil)

  var position: GlobalPosition? { noted.withLock { $0 } }
  func forget() { noted.withLock { $0 = nil } }
  func load(log: LogID) -> GlobalPosition? { position }
  func save(_ position: GlobalPosition, log: LogID) { noted.withLock { $0 = position } }
}
