import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("The projector")
struct ProjectorTests {
  private let content = MailContent(from: "a", subject: "b", message: "c")

  @Test("goes on exactly once after a crash between batches", arguments: SeededRandom.seeds(4))
  func crash(seed: UInt64) async throws {
    let store = InMemoryEventStore()
    var history = RandomHistory(seed: seed)
    var crashes: [TemporaryDirectory] = []
    let directory = TemporaryDirectory()
    try await withViews(of: store, in: directory, batchSize: 5) { views in
      for _ in 0..<6 {
        for _ in 0..<60 { history.step(store) }
        _ = try await views.query(inbox)
        try await views.wait(for: "list") { $0.position == store.head }
        // The files as they are now, the log going on.
        crashes.append(directory.copy())
      }
    }
    for crashed in crashes {
      try await withViews(of: store, in: crashed, batchSize: 5) { views in
        for stream in RandomHistory.mailboxNames + RandomHistory.listNames {
          let folded = try JSON(parsing: try StateReader(store: store).state(of: stream))
          let view = try await views.query(stream)
          #expect(view.withoutCursor == folded.withoutCursor, "seed \(seed)")
        }
        #expect(crashed.viewFiles == ViewFileName.all)
      }
    }
  }

  @Test("builds anew what is missing, garbage, another version's, or another log's")
  func damagedFiles() async throws {
    let store = InMemoryEventStore()
    var history = RandomHistory(seed: 1)
    for _ in 0..<300 { history.step(store) }
    let good = TemporaryDirectory()
    try await withViews(of: store, in: good) { views in _ = try await views.query(inbox) }
    let bytes = good.read(ViewFileName.mailbox)
    let other = InMemoryEventStore()
    other.add([MailboxEvent.delivered(MailID(1), content)], to: inbox)
    let foreign = TemporaryDirectory()
    try await withViews(of: other, in: foreign) { views in _ = try await views.query(inbox) }
    let spoilt: [[UInt8]?] = [
      nil, [], Array("no database at all, but longer than a header needs to be".utf8),
      [UInt8](repeating: 0, count: 4096), Array(bytes.prefix(bytes.count / 2)),
      bytes.enumerated().map { $0.offset % 4096 < 64 && $0.offset > 4096 ? 0xFF : $0.element },
      foreign.read(ViewFileName.mailbox),
    ]
    let expected = try JSON(parsing: try StateReader(store: store).state(of: inbox))
    for file in spoilt {
      let directory = TemporaryDirectory()
      directory.write(good.read(ViewFileName.list), to: ViewFileName.list)
      if let file { directory.write(file, to: ViewFileName.mailbox) }
      directory.write([1], to: "mailbox-v\(MailboxProjection.version).7.sqlite.building")
      directory.write([1], to: "mailbox-v0.sqlite")
      try await withViews(of: store, in: directory) { views in
        let answer = try await views.query(inbox)
        #expect(answer == expected)
        #expect(views.projector.statuses.allSatisfy { $0.state == .live })
        #expect(directory.viewFiles.count == 3)
        #expect(!directory.names.contains { $0.contains("building") || $0.contains("v0") })
      }
    }
  }

  @Test("builds anew a view that is ahead of the log")
  func aheadOfLog() async throws {
    let directory = TemporaryDirectory()
    let long = InMemoryEventStore()
    long.add((1...9).map { MailboxEvent.delivered(MailID($0), content) }, to: inbox)
    try await withViews(of: long, in: directory) { views in _ = try await views.query(inbox) }
    let short = InMemoryEventStore(logID: long.logID)
    short.add([MailboxEvent.delivered(MailID(1), content)], to: inbox)
    try await withViews(of: short, in: directory) { views in
      let answer = try await views.query(inbox)
      #expect(answer["rows"]?.integers("mail") == [1])
      #expect(views.status("mailbox")?.position == short.head)
    }
  }

  @Test("parks a poison event with its stream's later ones, and lets others flow (promise 8)")
  func poison() async throws {
    let store = InMemoryEventStore()
    let other = name("mailbox/other")
    store.add([MailboxEvent.delivered(MailID(1), content)], to: inbox)
    store.addRaw([("mail.flagged", 1, Array(#"{"mail":"one"}"#.utf8))], to: inbox)
    store.addRaw([("mail.flagged", 99, Array(#"{"mail":1}"#.utf8))], to: todo)
    store.add([MailboxEvent.read(MailID(1))], to: inbox)
    store.add([MailboxEvent.delivered(MailID(1), content)], to: other)
    let directory = TemporaryDirectory()
    for _ in 0..<2 {
      try await withViews(of: store, in: directory, batchSize: 2) { views in
        let flowing = try await views.query(other)
        #expect(flowing["rows"]?.integers("mail") == [1])
        #expect(flowing["parked"] == nil)
        let parked = try await views.query(inbox)
        #expect(parked["revision"] == 1)
        #expect(parked["parked"] == 2)
        #expect(parked["rows"]?[0]?["read"] == false)
        #expect(views.status("mailbox")?.state == .degraded)
        #expect(views.status("mailbox")?.parked == 2)
        #expect(views.status("list")?.parked == 1)
        #expect(views.status("mailbox")?.position == store.head)
        let error = await #expect(throws: ServiceError.self) { try await views.query(todo) }
        #expect(error?.code == .unavailable)
      }
    }
    let error = #expect(throws: ServiceError.self) {
      try StateReader(store: store).state(of: inbox)
    }
    #expect(error?.code == .unavailable)
    #expect(throws: Never.self) {
      try StateReader(store: store).state(of: inbox, at: .position(GlobalPosition(1)))
    }
  }

  @Test("rolls back what a poison event began, and takes in the rest of its batch once")
  func halfWay() async throws {
    let store = InMemoryEventStore()
    let other = name("mailbox/other")
    // A number that no row has room for is found out after the mailbox got its row.
    let huge = Array(#"{"mail":2199023255552,"from":"a","subject":"b","message":"c"}"#.utf8)
    store.add([MailboxEvent.delivered(MailID(1), content)], to: inbox)
    store.addRaw([("mail.delivered", 1, huge)], to: other)
    store.add([MailboxEvent.delivered(MailID(2), content)], to: inbox)
    store.addRaw([("mail.delivered", 1, huge)], to: inbox)
    store.add([MailboxEvent.delivered(MailID(1), content)], to: name("mailbox/third"))
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      let view = try await views.query(inbox)
      #expect(view["rows"]?.integers("mail") == [2, 1])
      #expect(view["counts"]?["total"] == 2 && view["parked"] == 4)
      let third = try await views.query(name("mailbox/third"))
      #expect(third["revision"] == 1)
      let error = await #expect(throws: ServiceError.self) { try await views.query(other) }
      #expect(error?.code == .unavailable)
      #expect(views.status("mailbox")?.parked == 2)
    }
  }

  @Test("says that the log cannot be read, and goes on when it can")
  func unreadableLog() async throws {
    let store = InMemoryEventStore()
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      store.failReads(with: .failed(reason: "unplugged"))
      store.add([MailboxEvent.delivered(MailID(1), content)], to: inbox)
      try await views.wait(for: "mailbox") { $0.state == .failed }
      #expect(views.status("mailbox")?.reason?.contains("unplugged") == true)
      store.failReads(with: nil)
      let answer = try await views.query(inbox)
      #expect(answer["rows"]?.integers("mail") == [1])
      try await views.wait(for: "mailbox") { $0.state == .live }
    }
  }

  @Test("starts without a directory that can be made")
  func noDirectory() async throws {
    let store = InMemoryEventStore()
    store.add([MailboxEvent.delivered(MailID(1), content)], to: inbox)
    let directory = TemporaryDirectory()
    directory.write([], to: "file")
    let projector = Projector(
      store: store, directory: directory.path + "/file/views", batchSize: 9, retryMilliseconds: 5)
    await projector.start()
    #expect(projector.statuses.allSatisfy { $0.state == .failed })
    await projector.stop()
  }
}
