internal import Domain
internal import EventSourcing

/// A stream's view as a value that its events build, without a file.
protocol FoldedState: Sendable {
  init()

  /// Takes in the stream's next event.
  mutating func take(_ event: EventView, _ decoder: EventDecoder) throws(ProjectionError)

  /// How many mails or items it holds.
  var rowCount: Int { get }

  /// The very JSON that the view gives, but for a cursor's keys, which a fold does not have.
  ///
  /// - Throws: `invalid` for a cursor whose row is not there.
  func page(
    _ head: PageHead, _ request: PageRequest, cursor: PageCursor?
  ) throws(ServiceError) -> WrittenPage
}

/// A state that asks of an event no more than what its data says.
protocol EventFold: FoldedState {
  associatedtype Event: EventCodable

  mutating func apply(_ event: Event)
}

extension EventFold {
  mutating func take(_ event: EventView, _ decoder: EventDecoder) throws(ProjectionError) {
    apply(try decoder.decode(event))
  }
}
