internal import Domain
internal import EventSourcing

/// A stream's view as a value that its events build, without a file.
protocol FoldedState: Sendable {
  associatedtype Event: EventCodable

  init()

  mutating func apply(_ event: Event)

  /// How many mails or items it holds.
  var rowCount: Int { get }

  /// The very JSON that the view gives, but for a cursor's keys, which a fold does not have.
  ///
  /// - Throws: `invalid` for a cursor whose row is not there.
  func page(
    _ head: PageHead, _ request: PageRequest, cursor: PageCursor?
  ) throws(ServiceError) -> WrittenPage
}
