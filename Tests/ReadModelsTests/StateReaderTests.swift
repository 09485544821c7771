import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("Time travel")
struct StateReaderTests {
  private let store: InMemoryEventStore

  init() {
    store = InMemoryEventStore()
    let content = MailContent(from: "a", subject: "b", message: "c")
    // Positions 1 to 3 at seconds 1 to 3; `add` gives one time to a batch.
    store.add([ListEvent.created(title: "t", template: .plain)], to: todo)
    store.add([MailboxEvent.delivered(MailID(1), content)], to: inbox)
    store.add([MailboxEvent.read(MailID(1))], to: inbox)
  }

  private func state(_ stream: StreamID, _ instant: StateInstant?) throws -> JSON {
    try JSON(parsing: try StateReader(store: store).state(of: stream, at: instant))
  }

  @Test("to a time covers every event up to and including it")
  func times() throws {
    let second: Int64 = 1_000_000
    let at = try state(inbox, .time(Timestamp(microseconds: 2 * second)))
    #expect(at["position"] == 2 && at["revision"] == 1 && at["rows"]?[0]?["read"] == false)
    let before = try state(inbox, .time(Timestamp(microseconds: 3 * second - 1)))
    #expect(before == at)
    let after = try state(inbox, .time(Timestamp(microseconds: 99 * second)))
    #expect(after["position"] == 3 && after["revision"] == 2 && after["rows"]?[0]?["read"] == true)
    #expect(try state(inbox, nil) == after)
  }

  @Test("reflects the instant, also past the stream's last event")
  func positions() throws {
    let list = try state(todo, .position(GlobalPosition(3)))
    #expect(list["position"] == 3 && list["revision"] == 1)
  }

  @Test("refuses an instant to come and a stream that was not yet")
  func refusals() throws {
    var error = #expect(throws: ServiceError.self) {
      try state(inbox, .position(GlobalPosition(99)))
    }
    #expect(error == ServiceError(.invalid, "position 99 is beyond the log's head 3"))
    error = #expect(throws: ServiceError.self) { try state(inbox, .position(GlobalPosition(1))) }
    #expect(error?.code == .notFound)
    error = #expect(throws: ServiceError.self) { try state(name("system/audit"), nil) }
    #expect(error?.code == .notFound)
    error = #expect(throws: ServiceError.self) {
      try StateReader(store: store).state(of: inbox, page: PageRequest(cursor: "1.0.77"))
    }
    #expect(error?.code == .invalid)
  }

  @Test("reads a stream once for all pages of it")
  func pages() throws {
    let content = MailContent(from: "a", subject: "b", message: "c")
    store.add((2...30).map { MailboxEvent.delivered(MailID($0), content) }, to: inbox)
    let reader = StateReader(store: store)
    let at = StateInstant.position(store.head)
    func page(_ cursor: String?) throws -> JSON {
      let page = PageRequest(limit: 7, cursor: cursor)
      return try JSON(parsing: try reader.state(of: inbox, at: at, page: page))
    }
    var answer = try page(nil)
    var mails = answer["rows"]?.integers("mail") ?? []
    store.failReads(with: .failed(reason: "unplugged"))
    while let cursor = answer["cursor"]?.string {
      answer = try page(cursor)
      mails += answer["rows"]?.integers("mail") ?? []
    }
    #expect(mails == (1...30).reversed())
    // After the last page, and after an erasure, the log is asked again.
    #expect(throws: ServiceError.self) { try page(nil) }
    store.failReads(with: nil)
    let cursor = try page(nil)["cursor"]?.string
    reader.forget()
    store.failReads(with: .failed(reason: "unplugged"))
    #expect(throws: ServiceError.self) { try page(cursor) }
  }

  @Test("goes on from an earlier page's state where the log has grown, and not from a later one's")
  func grown() throws {
    let content = MailContent(from: "a", subject: "b", message: "c")
    store.add((2...9).map { MailboxEvent.delivered(MailID($0), content) }, to: inbox)
    let kept = StateReader(store: store)
    let page = PageRequest(limit: 3)
    let early = GlobalPosition(5)
    for position in [store.head, early, store.head] {
      store.add([MailboxEvent.flagged(MailID(9))], to: inbox)
      for at in [position, store.head, early].map({ StateInstant.position($0) }) {
        let expected = try StateReader(store: store).state(of: inbox, at: at, page: page)
        #expect(try kept.state(of: inbox, at: at, page: page) == expected)
      }
    }
  }
}
