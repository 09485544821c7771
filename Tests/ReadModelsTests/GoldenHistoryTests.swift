import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

/// What a history that was written by version 0.1 means: the states that it leaves, byte for byte.
@Suite("Golden histories")
struct GoldenHistoryTests {
  private let golden = GoldenFiles("Golden")

  /// The events of `<name>.history.ndjson`, a line `{"type":…,"schema":…,"data":…}` each.
  private func store(_ name: String, _ stream: StreamID) throws -> InMemoryEventStore {
    let store = InMemoryEventStore(logID: LogID(bytes: [UInt8](repeating: 7, count: 16)))
    for line in try #require(golden.lines("\(name).history.ndjson")) {
      let event = try JSON(parsing: line)
      let type = EventType(try #require(event["type"]?.string))
      let schema = UInt16(try #require(event["schema"]?.integer))
      let data = try #require(event["data"])
      store.addRaw([(type, schema, data.bytes)], to: stream)
    }
    return store
  }

  private func check(
    _ name: String, _ stream: StreamID, _ pages: [(file: String, page: PageRequest)]
  ) async throws {
    let store = try store(name, stream)
    let reader = StateReader(store: UpcastingEventStore(store, EventSchemas.upcasters))
    for (file, page) in pages {
      let state = try reader.state(of: stream, page: page)
      golden.write(file, state + [UInt8(ascii: "\n")])
      #expect(golden.bytes(file) == state + [UInt8(ascii: "\n")], "\(file)")
    }
    // The view is of the same form, and so of the same meaning.
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      for (file, page) in pages {
        let expected = try JSON(parsing: try #require(golden.bytes(file)))
        #expect(try await views.query(stream, page) == expected, "\(file)")
        #expect(expected["parked"] == nil)
      }
    }
  }

  @Test("of a mailbox")
  func mailbox() async throws {
    try await check(
      "mailbox", inbox,
      [
        ("mailbox.state.json", PageRequest()),
        ("mailbox.trash.json", PageRequest(box: .trash)),
      ])
  }

  /// As of when there were boxes, labels and threads.
  @Test("of a mailbox with boxes, labels and threads")
  func triage() async throws {
    try await check(
      "triage", inbox,
      [
        ("triage.state.json", PageRequest()), ("triage.all.json", PageRequest(box: nil)),
        ("triage.label.json", PageRequest(box: nil, label: MailLabel("work"))),
      ])
  }

  /// As of when mails moved between mailboxes, and the agenda was a view.
  @Test("of a mailbox that mails leave and come to, and its agenda")
  func moves() async throws {
    try await check("moves", inbox, [("moves.state.json", PageRequest(box: nil))])
    let store = try store("moves", inbox)
    let agenda = try StateReader(store: store).state(of: inbox, view: "agenda")
    golden.write("moves.agenda.json", agenda + [UInt8(ascii: "\n")])
    #expect(golden.bytes("moves.agenda.json") == agenda + [UInt8(ascii: "\n")])
  }

  @Test("of a list")
  func list() async throws {
    try await check("list", todo, [("list.state.json", PageRequest())])
  }

  @Test("of sections that change, and items that repeat")
  func sections() async throws {
    try await check("sections", todo, [("sections.state.json", PageRequest())])
  }

  @Test("of single rows' swipe settings")
  func rowSwipes() async throws {
    try await check("mail-swipes", inbox, [("mail-swipes.state.json", PageRequest())])
    try await check("item-swipes", todo, [("item-swipes.state.json", PageRequest())])
  }

  /// A history without some type would say nothing of it.
  @Test("have events of every type")
  func everyType() throws {
    var types: Set<String> = []
    for file in golden.names where file.hasSuffix(".history.ndjson") {
      for line in try #require(golden.lines(file)) {
        types.insert(try #require(try JSON(parsing: line)["type"]?.string))
      }
    }
    let files = GoldenFiles("../DomainTests/Golden").names
    #expect(types == Set(files.compactMap { $0.components(before: ".v") }))
  }
}

extension String {
  /// What is before the last `separator`; nil where it is not there.
  fileprivate func components(before separator: String) -> String? {
    guard let range = ranges(of: separator).last else { return nil }
    return String(self[..<range.lowerBound])
  }
}
