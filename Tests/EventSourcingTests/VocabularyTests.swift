import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

struct VocabularyTests {
  @Test(arguments: [
    "mailbox/inbox", "list/a", "system/x", "mailbox/a/b.c_d-e@f+G9", "list/...a",
    "mailbox/" + String(repeating: "x", count: 200),
  ])
  func acceptsStreamNames(_ text: String) throws {
    #expect(try StreamID(text).description == text)
  }

  @Test(arguments: [
    "", "inbox", "mailbox", "mailbox/", "other/x", "Mailbox/x", "mailbox//x", "mailbox/x/",
    "mailbox/.", "mailbox/..", "mailbox/a/../b", "mailbox/a b", "mailbox/é", "/mailbox",
    "mailbox/" + String(repeating: "x", count: 201),
  ])
  func refusesOtherNames(_ text: String) {
    #expect(throws: StreamIDError.self) { try StreamID(text) }
  }

  @Test(arguments: SeededRandom.seeds(20))
  func namesAreToldFromBytesAsFromTexts(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let parts = [
      "mailbox", "list", "system", "/", "/", ".", "..", "a", "Z9", "_-@+", " ", "é", "\"", "\0",
      String(repeating: "x", count: 100),
    ]
    var names = 0
    for _ in 0..<500 {
      var text =
        random.chance(oneIn: 4) ? "" : "\(StreamCategory.allCases.randomElement(using: &random)!)/"
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        text += parts.randomElement(using: &random)!
      }
      let isName = Array(text.utf8).withUnsafeBytes { StreamID.isName($0) }
      #expect(isName == ((try? StreamID(text)) != nil), "seed \(seed): \(text.debugDescription)")
      if isName { names += 1 }
    }
    #expect(names > 50 && names < 450, "seed \(seed): \(names) of 500 are names")
  }

  @Test(arguments: [
    ("2026-01-02T03:04:05.000006Z", 1_767_323_045_000_006),
    ("1970-01-01T00:00:00Z", 0),
    ("1969-12-31T23:59:59.999999Z", -1),
    ("2000-02-29T12:00:00+01:30", 951_820_200_000_000),
    ("2026-01-02 03:04:05.1234567-00:00", 1_767_323_045_123_456),
    ("1990-12-31T23:59:60Z", 662_688_000_000_000),
  ])
  func readsTimes(_ text: String, _ microseconds: Int64) {
    #expect(Timestamp(text)?.microseconds == microseconds)
  }

  @Test(arguments: [
    "", "2026-01-02", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z",
    "2026-01-02T24:00:00Z", "2026-01-02T03:04:05", "2026-01-02T03:04:05.Z",
    "2026-01-02T03:04:05Z ", "26-01-02T03:04:05Z", "2026-01-02T03:04:05+24:00",
  ])
  func refusesOtherTimes(_ text: String) { #expect(Timestamp(text) == nil) }

  @Test(arguments: SeededRandom.seeds(20))
  func readsTheTimesThatItWrites(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let time = Timestamp(
        microseconds: .random(in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &random)
      )
      #expect(Timestamp(time.description) == time, "seed \(seed)")
    }
  }

  @Test func commandIDsArePrintableASCII() {
    #expect(CommandID("a") != nil)
    #expect(CommandID(String(repeating: "~", count: 64))?.isReserved == true)
    for bad in ["", String(repeating: "a", count: 65), "é", "a\nb", "\u{7F}"] {
      #expect(CommandID(bad) == nil)
    }
  }

  @Test func metaTellsTheCommandOfItsLastEvent() throws {
    let id = try #require(CommandID("c-1"))
    var writer = JSONWriter()
    EventMeta.write(
      command: id, via: "swipe", metadata: CommandMetadata(by: "me"),
      completion: .init(
        content: ContentHash(rawValue: 255), eventCount: 2, outcome: Array(#"{"mail":1}"#.utf8)),
      to: &writer)
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"command":"c-1","via":"swipe","by":"me","hash":"00000000000000ff","events":2,"outcome":{"mail":1}}"#
    )
    let event = RecordedEvent(
      position: GlobalPosition(9), stream: try StreamID("list/a"), revision: Revision(4), type: "t",
      schema: 1, time: Timestamp(microseconds: 0), data: [], meta: writer.bytes[...])
    #expect(
      EventMeta.recordedCommand(in: event, parser: JSONParser())
        == RecordedCommand(
          id: id, content: ContentHash(rawValue: 255), revision: Revision(4),
          position: GlobalPosition(9), eventCount: 2, outcome: Array(#"{"mail":1}"#.utf8)))
  }
}
