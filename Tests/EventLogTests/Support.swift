import ActorRuntime
import Digests
import EventSourcing
import FastJSON
import Glibc

@testable import EventLog

/// A directory of a test's own, gone with the last reference.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/event-log-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { fatalError("no temporary directory") }
    path = String(cString: made)
  }

  deinit { removeTree(path) }

  /// The path of the segment that begins with `first`.
  func segment(_ first: UInt64) -> String { path + "/log/" + FileFormat.segmentName(first: first) }

  func index(_ first: UInt64) -> String { path + "/index/" + FileFormat.indexName(first: first) }

  /// Every file's content by its path.
  func snapshot() -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for part in ["", "/log", "/index"] {
      for name in (try? FileStorage().list(path + part)) ?? [] {
        let file = path + part + "/" + name
        if let bytes = try? readFile(file) { files[part + "/" + name] = bytes }
      }
    }
    return files
  }
}

private func removeTree(_ path: String) {
  for name in (try? FileStorage().list(path)) ?? [] { removeTree(path + "/" + name) }
  _ = remove(path)
}

func readFile(_ path: String) throws -> [UInt8] {
  let file = try FileStorage().open(path, .read)
  return try file.bytes(try file.size(), at: 0)
}

func writeFile(_ path: String, _ bytes: [UInt8]) throws {
  let file = try FileStorage().open(path, .create)
  try bytes.withRawBytes { (bytes) throws(StorageError) in try file.write(bytes, at: 0) }
}

/// Small segments, and no wait before a failed disk is tried again.
func smallConfiguration(segmentBytes: Int = 16 << 10) -> EventLogConfiguration {
  var configuration = EventLogConfiguration()
  configuration.segmentBytes = segmentBytes
  configuration.allowsTinySegments = true
  configuration.probeMilliseconds = 5
  return configuration
}

extension TemporaryDirectory {
  func open(
    _ configuration: EventLogConfiguration = smallConfiguration(),
    storage: any LogStorage = FileStorage()
  ) throws -> SegmentedEventStore {
    try SegmentedEventStore.open(directory: path, configuration: configuration, storage: storage)
  }
}

func stream(_ name: String) -> StreamID {
  do { return try StreamID("list/" + name) } catch { fatalError("\(error)") }
}

func command(_ text: String) -> CommandID {
  guard let id = CommandID(text) else { fatalError("no command id: \(text)") }
  return id
}

extension AppendBatch {
  /// One stream's events with text of a length each; `command` on the last one.
  init(
    _ stream: StreamID, _ lengths: [Int], expecting expected: ExpectedRevision = .any,
    command: CommandID? = nil, time: Int64 = 1
  ) {
    self.init(time: Timestamp(microseconds: time))
    add(stream, lengths, expecting: expected, command: command)
  }

  mutating func add(
    _ stream: StreamID, _ lengths: [Int], expecting expected: ExpectedRevision = .any,
    command: CommandID? = nil
  ) {
    begin(stream, expecting: expected)
    for (index, length) in lengths.enumerated() {
      let isLast = index == lengths.count - 1
      add(
        index % 2 == 0 ? "item.added" : "item.edited", schema: UInt16(1 + index % 3),
        command: isLast ? command.map { CommandKey($0, in: stream) } : nil,
        data: { writer in
          writer.beginObject()
          writer.key("text")
          writer.value(String(repeating: "x", count: length))
          writer.endObject()
        },
        meta: { writer in
          EventMeta.write(
            command: command ?? EventLogTests.command("none"), via: nil,
            metadata: CommandMetadata(),
            completion: isLast && command != nil
              ? EventMeta.Completion(
                content: ContentHash(rawValue: UInt64(length)), eventCount: lengths.count,
                outcome: Array("{}".utf8)) : nil,
            to: &writer)
        })
    }
  }
}

typealias AppendResult = Result<AppendReceipt, AppendError>

/// Answers in the order in which they came.
final class Answers: Sendable {
  private let results = Monitor<[AppendResult]>([])

  var count: Int { results.change { $0.count } }

  func take(_ result: AppendResult) { results.change { $0.append(result) } }

  /// Waits for `count` answers.
  func wait(for count: Int) -> [AppendResult] {
    results.wait { $0.count >= count ? $0 : nil } ?? []
  }
}

extension EventStore {
  /// Appends and waits for the answer.
  @discardableResult
  func appendAndWait(_ batch: AppendBatch) -> AppendResult {
    let answers = Answers()
    append(batch) { answers.take($0) }
    return answers.wait(for: 1)[0]
  }

  func everything() throws -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    while true {
      let more = try read(
        after: GlobalPosition(UInt64(events.count)), limit: ReadLimit(events: 1000))
      if more.isEmpty { return events }
      events += more
    }
  }
}

extension Result {
  var error: Failure? { if case .failure(let error) = self { error } else { nil } }
  var value: Success? { if case .success(let value) = self { value } else { nil } }
}
