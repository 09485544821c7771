internal import EventSourcing

/// Brings one view's file up to date, whichever the view. ``ViewBatch`` feeds it.
protocol ViewWriter: AnyObject {
  /// Whose events are the view's.
  var category: StreamCategory { get }
  /// The last event of the log that the rows and the parked events cover.
  var position: GlobalPosition { get }
  var parkedCount: Int { get }
  /// How many batches have changed rows.
  var changeCount: Int { get }

  /// Begins a batch that follows `position`.
  func begin()

  /// Takes in the batch's next event of the view's category. What goes wrong is told at the end.
  func take(_ event: EventView)

  /// Ends the batch, which goes up to `position`: all of it is taken in by one transaction.
  ///
  /// - Returns: false where the batch has to be given again from its beginning.
  /// - Throws: where the file could not be written; then nothing was taken in.
  func end(at position: GlobalPosition) throws(ReadModelError) -> Bool

  /// Sees to it that a file that was built has all that one that answers needs.
  func finish() throws(ReadModelError)

  /// Whether the stream's events are put aside.
  func isParked(_ stream: StreamID) -> Bool

  /// Sees to it that the file holds nothing but what can be read from it.
  func overwriteRemains() throws(ReadModelError)

  func close()
}

/// Why a transaction was given up. Not inside the generic class, where the compiler's optimiser
/// (6.3.1) fails on a typed throw of it.
private enum Interruption: Error {
  /// An event failed after it had begun to change rows.
  case poison(GlobalPosition, reason: String)
  case file(ReadModelError)

  /// What it means for a file without a journal.
  var withoutRollback: ReadModelError {
    switch self {
    case .poison: .needsRollback
    case .file(let error): error
    }
  }
}

/// Runs a projection over one file.
final class ProjectionWriter<View: ViewProjection>: ViewWriter {
  private let file: ViewStore
  private let model: View.Model
  private let projection = View()
  /// Events of the batch that were found out by failing half-way: when it is given again they are
  /// parked before they begin.
  private var poisons: [GlobalPosition: String] = [:]
  private var interruption: Interruption?
  private(set) var changeCount = 0

  init(path: String, use: ViewStore.Use, store: any EventStore) throws(ReadModelError) {
    // What is built gets its index later; see OrderIndex.
    let schema = View.Model.schema + (use == .serving ? View.Model.orderIndex : "")
    file = try ViewStore(path: path, use: use, version: View.version, schema: schema, store: store)
    model = try View.Model(connection: file.connection)
  }

  var category: StreamCategory { View.category }
  var position: GlobalPosition { file.position }
  var parkedCount: Int { file.parkedCount }

  func close() {
    try? file.save()
    file.connection.close()
  }

  func finish() throws(ReadModelError) {
    try model.makeOrderIndex()
    try file.save()
  }

  func isParked(_ stream: StreamID) -> Bool { file.parkedStreams.contains(stream) }

  func overwriteRemains() throws(ReadModelError) { try file.overwriteRemains() }

  // MARK: A batch

  func begin() {
    poisons = [:]
    interruption = nil
  }

  func take(_ event: EventView) {
    guard interruption == nil, View.concerns(event) else { return }
    do throws(Interruption) {
      try beginTransaction()
      try project(event)
    } catch {
      interruption = error
    }
  }

  func end(at position: GlobalPosition) throws(ReadModelError) -> Bool {
    do throws(Interruption) {
      try finish(at: position)
      return true
    } catch {
      interruption = nil
      model.discard()
      guard file.use.canRollBack else { throw error.withoutRollback }
      try file.rollBack()
      switch error {
      case .poison(let position, let reason): poisons[position] = reason
      case .file(let error): throw error
      }
      return false
    }
  }

  private func finish(at position: GlobalPosition) throws(Interruption) {
    if let interruption { throw interruption }
    do throws(ReadModelError) {
      guard file.isInTransaction else { return try file.skip(to: position) }
      try model.flush()
      try file.commit(at: position)
      changeCount += 1
    } catch {
      throw .file(error)
    }
  }

  private func beginTransaction() throws(Interruption) {
    if file.isInTransaction { return }
    do throws(ReadModelError) {
      try file.beginTransaction()
    } catch {
      throw .file(error)
    }
  }

  private func project(_ event: EventView) throws(Interruption) {
    if !file.parkedStreams.isEmpty, file.parkedStreams.contains(event.streamID) {
      return try park(event, because: "an earlier event of its stream is parked")
    }
    if !poisons.isEmpty, let poison = poisons[event.position] {
      return try park(event, because: poison)
    }
    model.isTouched = false
    do throws(ProjectionError) {
      try projection.project(event, into: model)
    } catch {
      if let failure = model.failure {
        model.failure = nil
        throw .file(failure)
      }
      if model.isTouched { throw .poison(event.position, reason: error.reason) }
      try park(event, because: error.reason)
    }
  }

  private func park(_ event: EventView, because reason: String) throws(Interruption) {
    do throws(ReadModelError) {
      try file.park(event, because: reason)
    } catch {
      throw .file(error)
    }
  }
}
