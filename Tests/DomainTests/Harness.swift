import EventSourcing
import FastJSON
import Testing

@testable import Domain

/// An aggregate in the middle of its service: commands come in as JSON, events go out as JSON and
/// are read back before they are applied.
struct Harness<A: Aggregate & Equatable> where A.Event: Equatable, A.Command: Equatable {
  private(set) var state = A()
  private(set) var events: [A.Event] = []
  private(set) var lastVia: String?
  private let context = DecisionContext(
    time: Timestamp(microseconds: 0), command: CommandID("c1")!)

  /// Decides a command and takes in its events; gives the outcome as JSON text.
  @discardableResult
  mutating func send(_ name: String, _ data: JSON) throws -> String {
    let command = try decode(name, data.bytes)
    #expect(try decode(name, canonical(command)) == command)
    #expect(command.name == name)
    let decision = try state.decide(command, in: context)
    lastVia = decision.via
    for event in decision.events {
      let read = try reread(event)
      #expect(read == event)
      state.apply(read)
      events.append(read)
    }
    var writer = JSONWriter()
    decision.outcome.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  mutating func send(_ name: String, json: String) throws -> String {
    try send(name, JSON(parsing: json))
  }

  /// The error that a command gives, as `code: message`; nil where it succeeds.
  mutating func refusal(_ name: String, _ data: JSON) -> ServiceError? {
    let before = (state, events.count)
    do {
      try send(name, data)
      return nil
    } catch {
      #expect(state == before.0 && events.count == before.1)
      return error as? ServiceError
    }
  }

  /// The events, written out, that a command gives.
  mutating func written(_ name: String, _ data: JSON) throws -> [String] {
    let before = events.count
    try send(name, data)
    return events[before...].map { "\($0.type) \(eventData($0))" }
  }

  /// Takes in events that no command gives yet.
  mutating func take(_ more: [A.Event]) {
    for event in more {
      state.apply(event)
      events.append(event)
    }
  }

  /// A state built from the events alone.
  var replayed: A {
    var fresh = A()
    for event in events { fresh.apply(event) }
    return fresh
  }

  private func decode(_ name: String, _ bytes: [UInt8]) throws -> A.Command {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    return try withExtendedLifetime(parser) {
      try A.Command(name: name, data: try parser.parse(bytes))
    }
  }

  private func canonical(_ command: A.Command) -> [UInt8] {
    var writer = JSONWriter()
    command.writeData(to: &writer)
    return writer.bytes
  }

  private func reread(_ event: A.Event) throws -> A.Event {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    return try withExtendedLifetime(parser) {
      try A.Event(
        type: event.type, schema: event.schema, data: try parser.parse(Array(eventData(event).utf8))
      )
    }
  }
}

func eventData(_ event: some EventCodable) -> String {
  var writer = JSONWriter()
  event.writeData(to: &writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}

extension CommandCodable {
  init(_ name: String, _ json: String) throws {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    self = try withExtendedLifetime(parser) {
      try Self(name: name, data: try parser.parse(Array(json.utf8)))
    }
  }

  var canonicalText: String {
    var writer = JSONWriter()
    writeData(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension EventCodable {
  init(_ type: EventType, _ json: String) throws {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    self = try withExtendedLifetime(parser) {
      try Self(type: type, schema: 1, data: try parser.parse(Array(json.utf8)))
    }
  }
}

/// The error of decoding, as `code: message`.
func refusal<C: CommandCodable>(_: C.Type, _ name: String, _ json: String) -> String? {
  do {
    _ = try C(name, json)
    return nil
  } catch {
    return (error as? ServiceError)?.description ?? "\(error)"
  }
}

/// Array literals of ids as JSON.
func ids(_ ids: [Int]) -> JSON { .array(ids.map { .integer($0) }) }
