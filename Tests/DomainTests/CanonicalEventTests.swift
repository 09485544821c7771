import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// What is read without the parser is what the parser gives, whatever the bytes are.
struct CanonicalEventTests {
  /// Both ways to read data; the quick one may leave it to the other.
  private func compare<Event: EventCodable & Equatable>(
    _: Event.Type, _ type: String, schema: UInt16 = 1, _ data: [UInt8], _ seed: UInt64? = nil
  ) throws -> (quick: Event?, parsed: Event?) {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    let type = EventType(type)
    let parsed = (try? parser.parse(data)).flatMap {
      try? Event(type: type, schema: schema, data: $0)
    }
    let event = RecordedEvent(
      position: GlobalPosition(1), stream: try StreamID("mailbox/a"), revision: Revision(1),
      type: type, schema: schema, time: Timestamp(microseconds: 0), data: data[...], meta: [])
    let quick = event.withView { Event(canonical: $0) }
    let place = "seed \(seed ?? 0): \(type) \(String(decoding: data, as: UTF8.self))"
    #expect(quick == nil || quick == parsed, "\(place)")
    #expect(event.withView { try? Event($0, parser) } == parsed, "\(place)")
    return (quick, parsed)
  }

  @Test(arguments: GoldenSamples.mailbox)
  func mailboxSamples(_ event: MailboxEvent) throws {
    let data = Array(eventData(event).utf8)
    #expect(try compare(MailboxEvent.self, event.type.description, data).parsed == event)
    #expect(try compare(MailboxEvent.self, event.type.description, schema: 2, data).quick == nil)
  }

  @Test(arguments: GoldenSamples.list)
  func listSamples(_ event: ListEvent) throws {
    let data = Array(eventData(event).utf8)
    #expect(try compare(ListEvent.self, event.type.description, data).parsed == event)
    #expect(try compare(ListEvent.self, event.type.description, schema: 2, data).quick == nil)
  }

  @Test(arguments: [
    ("mail.flagged", #"{"mail":17}"#), ("mail.purged", #"{"mail":17}"#),
    ("mail.reordered", #"{"mail":1,"after":null}"#), ("mail.reordered", #"{"mail":1,"after":9}"#),
    ("mail.delivered", #"{"mail":1,"from":"a","subject":"","message":"m","size":0,"read":true}"#),
    (
      "mail.delivered",
      #"{"mail":1,"from":"a","subject":"b","message":"c","date":"2026-01-02T03:04:05.000006Z"}"#
    ),
    ("mail.read", #"{"mail":999999999999999999}"#),
  ])
  func whatIsCommonNeedsNoParser(_ type: String, _ data: String) throws {
    #expect(try compare(MailboxEvent.self, type, Array(data.utf8)).quick != nil)
  }

  @Test(arguments: [
    #"{ "mail":17}"#, #"{"mail":17} "#, #"{"mail":17,"mail":18}"#, #"{"mail":017}"#,
    #"{"mail":-1}"#, #"{"mail":0}"#, #"{"mail":17.0}"#, #"{"mail":1e1}"#, #"{"mail":}"#,
    #"{"mail":9223372036854775807}"#, #"{"mail":9223372036854775808}"#, #"{"ma\u0069l":17}"#,
    #"{"mail":1000000000000000000}"#, #"{"mail":17"#, #"{"mail":17}}"#, #"{"mail":"17"}"#, "", "{}",
  ])
  func whatIsWrittenOtherwiseIsLeftToTheParser(_ data: String) throws {
    #expect(try compare(MailboxEvent.self, "mail.flagged", Array(data.utf8)).quick == nil)
  }

  @Test(arguments: [
    #","messageID":,"digest":"d""#, #","messageID":"#, #","read":,"flagged":true"#,
    #","size":007"#, #","digest":"d","messageID":"m""#, #","messageID":"é""#, #","date":"x""#,
    #","to":["a"]"#, #","read":truefalse"#,
  ])
  func aDeliveryIsReadInOneFormOnly(_ rest: String) throws {
    let data = #"{"mail":1,"from":"a","subject":"b","message":"c"\#(rest)}"#
    #expect(try compare(MailboxEvent.self, "mail.delivered", Array(data.utf8)).quick == nil)
  }

  @Test(arguments: SeededRandom.seeds(20))
  func editedDataGivesWhatTheParserGives(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var quick = 0
    var left = 0
    for _ in 0..<400 {
      let mail = try #require(GoldenSamples.mailbox.randomElement(using: &random))
      let item = try #require(GoldenSamples.list.randomElement(using: &random))
      var data = Array(eventData(mail).utf8)
      Edit.change(&data, &random)
      let first = try compare(MailboxEvent.self, mail.type.description, data, seed)
      data = Array(eventData(item).utf8)
      Edit.change(&data, &random)
      let second = try compare(ListEvent.self, item.type.description, data, seed)
      quick += (first.quick == nil ? 0 : 1) + (second.quick == nil ? 0 : 1)
      left += (first.quick == nil ? 1 : 0) + (second.quick == nil ? 1 : 0)
    }
    #expect(quick > 50 && left > 200, "seed \(seed): \(quick) quick, \(left) left")
  }
}

/// What a hand, or a fault, makes of stored JSON.
private enum Edit {
  private static let pieces = [
    " ", "\n", "0", "7", "-", ".", "e", "\"", "\\", "\\u0041", ",", ":", "{", "}", "[", "]", "null",
    "true", "99999999999999999999", "é", "\0", #","mail":3"#, #","after":null"#, #""item":5,"#,
  ]

  /// Leaves one in three as it is.
  static func change(_ data: inout [UInt8], _ random: inout SeededRandom) {
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      guard let piece = pieces.randomElement(using: &random), !data.isEmpty else { return }
      let at = Int.random(in: 0..<data.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: data.insert(contentsOf: piece.utf8, at: at)
      case 1: data.remove(at: at)
      case 2: data.replaceSubrange(at...at, with: piece.utf8)
      default: reorder(&data)
      }
    }
  }

  /// Puts the last member first, where there are two or more.
  private static func reorder(_ data: inout [UInt8]) {
    guard let comma = data.lastIndex(of: UInt8(ascii: ",")), data.count > comma + 1,
      data.first == UInt8(ascii: "{"), data.last == UInt8(ascii: "}")
    else { return }
    let last = data[(comma + 1)...].dropLast()
    data = [UInt8(ascii: "{")] + last + [UInt8(ascii: ",")] + data[1..<comma] + [UInt8(ascii: "}")]
  }
}
