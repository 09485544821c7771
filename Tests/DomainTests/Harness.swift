import EventSourcing
import FastJSON
import Testing

@testable import Domain

/// An aggregate in the middle of its service: commands come in as JSON, events go out as JSON and
/// are read back before they are applied.
struct Harness<A: Aggregate & Equatable> where A.Event: Equatable, A.Command: Equatable {
  private(set) var state = A()
  private(set) var events: [A.Event] = []
  /// Of each event.
  private(set) var causes: [EventCause?] = []
  private(set) var lastVia: String?
  private(set) var commandCount = 0
  /// When commands are decided.
  var time = Timestamp(microseconds: 0)
  /// What is beside the state.
  private(set) var live: (any LiveState)?
  /// Milliseconds of the monotonic clock.
  var now = 0
  /// Who asks.
  var by: String?

  /// Decides a command and takes in its events; gives the outcome as JSON text.
  ///
  /// - Parameter id: the command's; without one commands are c1, c2, …
  @discardableResult
  mutating func send(_ name: String, _ data: JSON, id: String? = nil) throws -> String {
    commandCount += 1
    let context = DecisionContext(
      time: time, command: CommandID(id ?? "c\(commandCount)")!, now: now,
      by: by)
    let command = try decode(name, data.bytes)
    #expect(try decode(name, canonical(command)) == command)
    #expect(command.name == name)
    defer { if live != nil { state.settle(&live) } }
    let decision = try state.decide(command, in: context, beside: &live)
    lastVia = decision.via
    let cause = EventCause(command: context.command, undoes: decision.undoes)
    if !decision.events.isEmpty { state.begin(cause) }
    for event in decision.events {
      let read = try reread(event)
      #expect(read == event)
      state.apply(read)
      events.append(read)
      causes.append(cause)
    }
    var writer = JSONWriter()
    decision.outcome.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Lets time pass until `now`, in milliseconds.
  mutating func wait(until now: Int) {
    self.now = now
    live?.advance(to: now)
  }

  /// What others were shown since this was last called.
  mutating func previews() -> [String] {
    live?.takePreviews().map { String(decoding: $0.object, as: UTF8.self) } ?? []
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

  /// Takes in events that no command gives, or those of another one's command.
  mutating func take(_ more: [A.Event], of cause: EventCause? = nil) {
    for event in more {
      state.begin(cause)
      state.apply(event)
      events.append(event)
      causes.append(cause)
    }
  }

  /// A state built from the events alone.
  var replayed: A { state(after: events.count) }

  /// The state after the first events, built from them alone.
  func state(after count: Int) -> A {
    var fresh = A()
    fresh.apply(events[..<count], causes)
    return fresh
  }

  /// Takes the events from `start` on into a state that has those before.
  func apply(from start: Int, to state: inout A) { state.apply(events[start...], causes) }

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

extension Aggregate {
  /// - Parameter causes: by the events' indices.
  fileprivate mutating func apply(_ events: ArraySlice<Event>, _ causes: [EventCause?]) {
    for index in events.indices {
      begin(causes[index])
      apply(events[index])
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
