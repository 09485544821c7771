internal import FastJSON

/// All steps from released schemas to the present ones.
///
/// Engines keep and return what was stored. Whoever reads events through an ``UpcastingEventStore``
/// sees the present form only.
public struct Upcasters: Sendable {
  /// What turns one old form into the present one.
  private struct Chain: Sendable {
    let type: EventType
    let steps: [Upcaster]
    let result: Upcaster.Form
  }

  /// By the number of the old schema: most events are told to be current by that number alone, and
  /// the few chains of one number are compared without hashing the type's name.
  private let chains: [[Chain]]

  /// Whether every released schema is a present one.
  public var isEmpty: Bool { chains.isEmpty }

  /// - Parameters:
  ///   - steps: in any order.
  ///   - present: every type that is written now, with its schema.
  /// - Throws: where a released schema does not lead to a present one by exactly one way.
  public init(_ steps: [Upcaster], to present: [EventType: UInt16]) throws(UpcasterFault) {
    let checked = try UpcasterCheck(steps, present: present)
    var chains: [[Chain]] = []
    for step in steps {
      let number = Int(step.from.schema)
      while chains.count <= number { chains.append([]) }
      let way = try checked.way(from: step)
      chains[number].append(
        Chain(type: step.from.type, steps: way, result: way[way.count - 1].to))
    }
    self.chains = chains
  }

  /// The events in their present form. What is in it already, what no step is known for, and what
  /// is no JSON stays as it is, byte for byte.
  public func upcast(_ events: [RecordedEvent]) -> [RecordedEvent] {
    guard !isEmpty, let first = events.firstIndex(where: { chain(for: $0) != nil }) else {
      return events
    }
    var events = events
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    for index in first..<events.count {
      guard let chain = chain(for: events[index]) else { continue }
      events[index] = Self.upcast(events[index], by: chain, parser)
    }
    return events
  }

  /// Gives `body` an event in its present form. One that is in it already is told by its schema and
  /// its type's bytes, and is shown where it lies.
  @inline(__always)
  func show(_ event: EventView, _ parser: JSONParser, to body: (EventView) -> Bool) -> Bool {
    guard let chain = chain(schema: event.schema, where: { event.type.isText($0.description) })
    else { return body(event) }
    return Self.upcast(event.recorded, by: chain, parser).withView(body)
  }

  private func chain(for event: RecordedEvent) -> Chain? {
    chain(schema: event.schema) { $0 == event.type }
  }

  private func chain(schema: UInt16, where isOfType: (EventType) -> Bool) -> Chain? {
    let number = Int(schema)
    guard number < chains.count else { return nil }
    return chains[number].first { isOfType($0.type) }
  }

  private static func upcast(
    _ event: RecordedEvent, by chain: Chain, _ parser: JSONParser
  ) -> RecordedEvent {
    guard let parsed = try? parser.parse(event.data) else { return event }
    let data = chain.steps.reduce(JSON(parsed)) { data, step in step.upcast(data) }
    return RecordedEvent(
      position: event.position, stream: event.stream, revision: event.revision,
      type: chain.result.type, schema: chain.result.schema, time: event.time,
      data: data.bytes[...], meta: event.meta)
  }
}
