import Domain
import EventSourcing
import FastJSON
import Glibc
import SwipestreamTesting
import Testing

@testable import ReadModels

/// A directory that goes away with its last owner.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((base + "/read-models-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no temporary directory") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in ViewDirectory(path: path).names() {
      unlink(path + "/" + name)
      rmdir(path + "/" + name)
    }
    rmdir(path)
  }

  var names: [String] { ViewDirectory(path: path).names() }

  /// Files whose name does not say that SQLite made them beside another.
  var viewFiles: [String] { names.filter { $0.hasSuffix(".sqlite") } }

  func write(_ bytes: [UInt8], to name: String) {
    let file = fopen(path + "/" + name, "w")
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  func read(_ name: String) -> [UInt8] {
    guard let file = fopen(path + "/" + name, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// A copy of all files, as a crash at this moment would leave them.
  func copy() -> TemporaryDirectory {
    let copy = TemporaryDirectory()
    for name in names { copy.write(read(name), to: name) }
    return copy
  }
}

/// The views of a store, running.
struct Views {
  let store: InMemoryEventStore
  let projector: Projector
  let queries: ViewQueries

  /// The answer of a stream's view, once it has taken in all that the store has.
  func query(_ stream: StreamID, _ page: PageRequest = PageRequest()) async throws -> JSON {
    try JSON(parsing: try await bytes(stream, page))
  }

  func bytes(_ stream: StreamID, _ page: PageRequest = PageRequest()) async throws -> [UInt8] {
    try await queries.query(
      ViewQuery(
        view: stream.category.description, stream: stream, page: page, atLeast: store.head,
        timeout: 60_000))
  }

  func status(_ view: String) -> ViewStatus? {
    projector.statuses.first { $0.name == view }
  }

  /// Waits until the view's status is as asked for.
  func wait(for view: String, until isMet: (ViewStatus) -> Bool) async throws {
    while !(status(view).map(isMet) ?? false) { try await Task.sleep(for: .milliseconds(2)) }
  }
}

/// Runs the views of `store` in `directory` for as long as `body`.
func withViews(
  of store: InMemoryEventStore, in directory: TemporaryDirectory, batchSize: Int = 64,
  _ body: (Views) async throws -> Void
) async throws {
  let projector = Projector(
    store: store, directory: directory.path, batchSize: batchSize, retryMilliseconds: 5)
  let queries = ViewQueries(projector: projector)
  await projector.start()
  await queries.start()
  let result: Result<Void, any Error>
  do {
    result = .success(try await body(Views(store: store, projector: projector, queries: queries)))
  } catch {
    result = .failure(error)
  }
  await queries.stop()
  await projector.stop()
  try result.get()
}

extension InMemoryEventStore {
  /// Appends events to a stream; the clock goes on by a second.
  func add<Event: EventCodable>(_ events: [Event], to stream: StreamID) {
    addRaw(
      events.map { event in
        var writer = JSONWriter()
        event.writeData(to: &writer)
        return (event.type, event.schema, writer.bytes)
      }, to: stream)
  }

  func addRaw(_ events: [(EventType, UInt16, [UInt8])], to stream: StreamID) {
    var batch = AppendBatch(time: Timestamp(microseconds: Int64(head.rawValue + 1) * 1_000_000))
    batch.begin(stream, expecting: .any)
    for (type, schema, data) in events {
      batch.add(
        type, schema: schema, data: { $0.raw(data) },
        meta: { writer in
          writer.beginObject()
          writer.endObject()
        })
    }
    append(batch) { result in
      if case .failure(let error) = result { Issue.record("not appended: \(error)") }
    }
  }
}

let inbox = name("mailbox/inbox")
let todo = name("list/todo")
let archive = name("mailbox/archive")

func name(_ text: String) -> StreamID {
  guard let stream = try? StreamID(text) else { fatalError("no stream name: \(text)") }
  return stream
}

extension JSON {
  /// The numbers under `key` in an array of objects.
  func integers(_ key: String) -> [Int] { array?.compactMap { $0[key]?.integer } ?? [] }

  /// Without the cursor, which the fold cannot give the same.
  var withoutCursor: JSON {
    .object((members ?? []).filter { $0.key != "cursor" })
  }

  /// A list's items in order, each with its section.
  var placedItems: [[Int]] {
    (self["sections"]?.array ?? []).flatMap { section in
      (section["items"]?.integers("item") ?? []).map { [section["section"]?.integer ?? 0, $0] }
    }
  }
}

/// The files of the views, as the projector names them.
enum ViewFileName {
  static let list = "list-v\(ListProjection.version).sqlite"
  static let mailbox = "mailbox-v\(MailboxProjection.version).sqlite"
  static let agenda = "agenda-v\(AgendaProjection.version).sqlite"
  /// Sorted.
  static let all = [agenda, list, mailbox]
}
