internal import EventSourcing

/// Where a projection keeps its rows: the prepared statements of one view's file, and what is
/// cached between events of one transaction.
protocol ViewModel: AnyObject {
  /// Creates the view's tables.
  static var schema: String { get }
  /// Creates the index of the rows' order.
  static var orderIndex: String { get }

  init(connection: SQLiteConnection) throws(ReadModelError)

  /// Set once an event has begun to change something, so that the writer knows whether an event
  /// that failed left anything behind.
  var isTouched: Bool { get set }

  /// What kept an event from being stored, where it was the file's fault and not the event's.
  var failure: ReadModelError? { get set }

  /// Writes what is cached, at the end of a transaction.
  func flush() throws(ReadModelError)

  /// Sees to it that the index of the order is there.
  func makeOrderIndex() throws(ReadModelError)

  /// Forgets what is cached: the transaction was rolled back.
  func discard()
}

/// A projection that the projector can run: of one category's streams, without state of its own.
protocol ViewProjection: Projection where Model: ViewModel {
  init()
  static var category: StreamCategory { get }
  /// Whether the view's rows hold text that can be erased.
  static var holdsText: Bool { get }

  /// Whether an event of the category may change a row. False is for certain, and saves the look at
  /// it; cheap.
  static func concerns(_ event: EventView) -> Bool
}

extension ViewProjection {
  static var holdsText: Bool { true }
  static func concerns(_ event: EventView) -> Bool { true }
}

extension ViewModel {
  /// Runs one event's changes and tells the event's faults from the file's.
  func storing(
    _ event: EventView, _ body: () throws(ReadModelError) -> Void
  ) throws(ProjectionError) {
    isTouched = true
    do throws(ReadModelError) {
      try body()
    } catch {
      if !error.isRowError { failure = error }
      throw ProjectionError(position: event.position, reason: error.description)
    }
  }
}

/// A view's row about a stream as a whole.
protocol StreamHead: AnyObject {
  var stream: StreamID { get }
  var revision: Int { get set }
  var isDirty: Bool { get set }
}

/// The heads of the streams that events come for, written once per transaction instead of once per
/// event.
final class StreamHeads<Head: StreamHead> {
  private var heads: [StreamID: Head] = [:]
  private var dirty: [Head] = []
  /// Most events come in runs of one stream.
  private var latest: Head?

  /// How many heads are kept from one transaction to the next.
  private static var limit: Int { 10_000 }

  /// The head of the event's stream where it is known, else what `find` gives.
  func head(
    of event: EventView, find: (StreamID) throws(ReadModelError) -> Head
  ) throws(ReadModelError) -> Head {
    if let latest, event.isOf(latest.stream) { return latest }
    let stream = event.streamID
    let head = if let known = heads[stream] { known } else { try find(stream) }
    heads[stream] = head
    latest = head
    return head
  }

  func markDirty(_ head: Head) {
    if head.isDirty { return }
    head.isDirty = true
    dirty.append(head)
  }

  /// Gives every changed head to `save`.
  func flush(_ save: (Head) throws(ReadModelError) -> Void) throws(ReadModelError) {
    for head in dirty {
      try save(head)
      head.isDirty = false
    }
    dirty.removeAll(keepingCapacity: true)
    if heads.count > Self.limit { discard() }
  }

  func discard() {
    heads = [:]
    dirty = []
    latest = nil
  }
}

/// A stream's number and a mail's, item's or section's in one integer: rows are found by SQLite's
/// row id, its fastest way.
enum RowID {
  private static let bits = 40
  private static let streamLimit = 1 << 22
  static let numbers = 0..<1 << bits

  /// - Throws: a row error for numbers that no log in this world reaches.
  static func of(_ number: Int, in stream: Int) throws(ReadModelError) -> Int {
    guard numbers.contains(number), stream < streamLimit else {
      throw .outOfRange("the number \(number) is too large")
    }
    return stream << bits | number
  }

  static func number(_ row: Int) -> Int { row & (1 << bits - 1) }
}
