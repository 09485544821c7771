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
}
