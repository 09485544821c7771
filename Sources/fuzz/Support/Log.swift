internal import ActorRuntime
internal import Digests
internal import EventSourcing
internal import FastJSON

@testable import EventLog

/// Small logs in memory.
enum Log {
  static let root = "/d"
  static let directory = root + "/log/"
  /// Tiny, so that a few kilobytes are a whole log.
  static let segmentBytes = 5 << 10

  static func path(_ first: UInt64) -> String { directory + FileFormat.segmentName(first: first) }

  static func record(
    _ fields: RecordFrame.Fields, _ stream: String, _ type: String, _ data: String, _ meta: String
  ) -> [UInt8] {
    let parts = [stream, type, data, meta].map { Array($0.utf8) }
    return [UInt8](zeros: RecordFrame.size + parts.reduce(0) { $0 + $1.count }) { out in
      parts[0].withRawBytes { stream in
        parts[1].withRawBytes { type in
          parts[2].withRawBytes { data in
            parts[3].withRawBytes { meta in
              _ = RecordFrame.write(
                fields, stream: stream, type: type, data: data, meta: meta, to: out)
            }
          }
        }
      }
    }
  }

  static func open(_ storage: MemoryStorage) throws(EventLogError) -> SegmentedEventStore {
    var configuration = EventLogConfiguration()
    configuration.allowsTinySegments = true
    configuration.segmentBytes = segmentBytes
    configuration.probeMilliseconds = 1
    return try SegmentedEventStore.open(
      directory: root, configuration: configuration, storage: storage)
  }

  /// A log of `batches` batches of a few events each, as the engine writes it.
  static func make(batches: Int) -> MemoryStorage {
    let storage = MemoryStorage()
    guard let store = try? open(storage) else { fatalError("an empty log does not open") }
    for number in 0..<batches { append(number, to: store) }
    store.close()
    return storage
  }

  /// Appends a batch and waits for it.
  static func append(_ number: Int, to store: SegmentedEventStore) {
    var batch = AppendBatch(time: Timestamp(microseconds: Int64(number)))
    for name in ["list/a", "mailbox/b\(number % 3)"] {
      guard let stream = try? StreamID(name), let id = CommandID("c\(number)") else { continue }
      batch.begin(stream, expecting: .any)
      batch.add("item.edited", data: { $0.raw(#"{"item":1}"#.utf8) }, meta: { $0.raw("{}".utf8) })
      batch.add(
        "item.added", command: CommandKey(id, in: stream), data: { $0.raw("{}".utf8) },
        meta: { writer in
          EventMeta.write(
            command: id, via: nil, metadata: CommandMetadata(),
            completion: .init(
              content: ContentHash(rawValue: 1), eventCount: 2, outcome: Array("{}".utf8)),
            to: &writer)
        })
    }
    let answer = Monitor<Bool?>(nil)
    store.append(batch) { result in
      answer.change { $0 = (try? result.get()) != nil }
    }
    let isWritten = answer.wait { $0 }
    require(isWritten == true, "what is appended to memory is written")
  }
}
