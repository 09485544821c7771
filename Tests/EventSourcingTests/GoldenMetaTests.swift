import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

/// The `meta` object has no schema number: what was once written must be read as it is, for ever.
///
/// `Golden/meta.ndjson` has a line for each sample; further samples go to the end.
struct GoldenMetaTests {
  private struct Sample {
    let command: String
    var via: String?
    var metadata = CommandMetadata()
    var completion: EventMeta.Completion?
  }

  private let golden = GoldenFiles("Golden")
  private static let hardText =
    "\" \\ / \u{8}\u{C}\n\r\t\0\u{1F}\u{7F}\u{2028} née nu\u{308}ll 漢字 😀"

  private static let samples = [
    Sample(command: "1"),
    Sample(command: "2", via: "swipe"),
    Sample(
      command: "7d0c8f6e-0000-4000-8000-000000000000", via: "press",
      metadata: CommandMetadata(correlation: "c", causation: "d", by: "e")),
    Sample(
      command: "~service", metadata: CommandMetadata(by: "Jules"),
      completion: .init(
        content: ContentHash(rawValue: 1), eventCount: 1, outcome: Array(#"{"mail":17}"#.utf8))),
    Sample(
      command: String(repeating: "~", count: 64),
      metadata: CommandMetadata(
        correlation: hardText, causation: "", by: String(repeating: "x", count: 200)),
      completion: .init(
        content: ContentHash(rawValue: .max), eventCount: 1000, outcome: Array("{}".utf8))),
    Sample(
      command: #"" \ "#, via: "swipe",
      completion: .init(
        content: ContentHash(rawValue: 0x0123_4567_89AB_CDEF), eventCount: 2,
        outcome: Array(
          #"{"result":"triggered","direction":"left-to-right","button":0,"closes":true}"#.utf8))),
  ]

  private static func text(_ sample: Sample) throws -> String {
    var writer = JSONWriter()
    EventMeta.write(
      command: try #require(CommandID(sample.command)), via: sample.via, metadata: sample.metadata,
      completion: sample.completion, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func isWrittenAsItWas() throws {
    let lines = try Self.samples.map { try Self.text($0) }
    golden.write("meta.ndjson", lines: lines)
    #expect(
      golden.bytes("meta.ndjson") == lines.flatMap { Array("\($0)\n".utf8) },
      "what the log remembers of a command is written differently: older logs are read no more")
  }

  @Test func tellsTheCommandThatWasWritten() throws {
    let parser = JSONParser()
    for (line, sample) in zip(try #require(golden.lines("meta.ndjson")), Self.samples) {
      let event = RecordedEvent(
        position: GlobalPosition(8), stream: try StreamID("list/a"), revision: Revision(7),
        type: "item.edited", schema: 1, time: Timestamp(microseconds: 0), data: [],
        meta: Array(line.utf8)[...])
      let command = EventMeta.recordedCommand(in: event, parser: parser)
      #expect((command == nil) == (sample.completion == nil))
      guard let command, let completion = sample.completion else { continue }
      #expect(command.id.description == sample.command)
      #expect(command.content == completion.content)
      #expect(command.eventCount == completion.eventCount && command.outcome == completion.outcome)
      #expect(command.revision == Revision(7) && command.position == GlobalPosition(8))
    }
  }
}
