import EventSourcing
import FastJSON

/// A counter, as small as an aggregate can be: it counts up, and refuses to go beyond a limit.
struct Counter: Aggregate {
  enum Command: CommandCodable {
    case add(Int)
    case nothing

    var name: String { if case .add = self { "add" } else { "nothing" } }

    init(name: JSONText, data: JSONValue) throws(ServiceError) {
      switch name {
      case "add":
        guard let count = data["count"]?.integer else {
          throw ServiceError(.invalid, "'count' must be an integer")
        }
        self = .add(count)
      case "nothing": self = .nothing
      default: throw ServiceError(.unknownCommand, "there is no command of that name")
      }
    }

    func writeData(to writer: inout JSONWriter) {
      writer.beginObject()
      if case .add(let count) = self {
        writer.key("count")
        writer.value(count)
      }
      writer.endObject()
    }
  }

  /// One event for each step.
  struct Event: EventCodable {
    var type: EventType { "counter.stepped" }
    var schema: UInt16 { 1 }

    init() {}
    init(type: EventType, schema: UInt16, data: JSONValue) throws(EventCodingError) {
      guard type == "counter.stepped" else {
        throw EventCodingError(type: type, schema: schema, .unknownType)
      }
    }

    func writeData(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.endObject()
    }
  }

  struct Outcome: OutcomeEncodable {
    let value: Int

    func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.key("value")
      writer.value(value)
      writer.endObject()
    }
  }

  static let category = StreamCategory.list
  static let limit = 1000
  private(set) var value = 0

  func decide(
    _ command: Command, in context: DecisionContext
  ) throws(ServiceError) -> Decision<Event, Outcome> {
    guard case .add(let count) = command else {
      return Decision([], outcome: Outcome(value: value))
    }
    guard value + count <= Self.limit else { throw ServiceError(.rejected, "beyond the limit") }
    return Decision(
      (0..<count).map { _ in Event() }, outcome: Outcome(value: value + count))
  }

  mutating func apply(_ event: Event) { value += 1 }

  static let snapshotVersion: UInt32 = 1
  var memoryFootprint: Int { 0 }

  func writeSnapshot(to writer: inout SnapshotWriter) { writer.number(value) }

  init() {}
  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    value = try reader.number(upTo: Self.limit)
  }
}
