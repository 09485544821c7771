internal import EventSourcing

/// Brings one view's file up to date, whichever the view.
protocol ViewWriter: AnyObject {
  /// The last event that the file's rows and parked events cover.
  var position: GlobalPosition { get }
  var parkedCount: Int { get }

  /// Takes in the events that follow `position`, in one transaction.
  ///
  /// - Throws: where the file could not be written; then nothing was taken in.
  func take(_ events: ArraySlice<RecordedEvent>) throws(ReadModelError)

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
}

/// Runs a projection over one file.
final class ProjectionWriter<View: ViewProjection>: ViewWriter {
  private let file: ViewStore
  private let model: View.Model
  private let projection = View()

  init(path: String, use: ViewStore.Use, store: any EventStore) throws(ReadModelError) {
    file = try ViewStore(
      path: path, use: use, version: View.version, schema: View.Model.schema, store: store)
    model = try View.Model(connection: file.connection)
  }

  var position: GlobalPosition { file.position }
  var parkedCount: Int { file.parkedCount }

  func close() { file.connection.close() }

  func isParked(_ stream: StreamID) -> Bool { file.parkedStreams.contains(stream) }

  func overwriteRemains() throws(ReadModelError) { try file.overwriteRemains() }

  func take(_ events: ArraySlice<RecordedEvent>) throws(ReadModelError) {
    guard let last = events.last else { return }
    /// Found out by failing half-way: in the next attempt they are parked before they begin.
    var poisons: [GlobalPosition: String] = [:]
    while true {
      do throws(Interruption) {
        try attempt(events, upTo: last.position, poisons: poisons)
        return
      } catch {
        model.discard()
        try file.rollBack()
        switch error {
        case .poison(let position, let reason): poisons[position] = reason
        case .file(let error): throw error
        }
      }
    }
  }

  private func attempt(
    _ events: ArraySlice<RecordedEvent>, upTo position: GlobalPosition,
    poisons: [GlobalPosition: String]
  ) throws(Interruption) {
    do throws(ReadModelError) {
      try file.beginTransaction()
    } catch {
      throw .file(error)
    }
    for event in events where event.stream.category == View.category {
      try project(event, poison: poisons.isEmpty ? nil : poisons[event.position])
    }
    do throws(ReadModelError) {
      try model.flush()
      try file.commit(at: position)
    } catch {
      throw .file(error)
    }
  }

  private func project(_ event: RecordedEvent, poison: String?) throws(Interruption) {
    if !file.parkedStreams.isEmpty, file.parkedStreams.contains(event.stream) {
      return try park(event, because: "an earlier event of its stream is parked")
    }
    if let poison { return try park(event, because: poison) }
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

  private func park(_ event: RecordedEvent, because reason: String) throws(Interruption) {
    do throws(ReadModelError) {
      try file.park(event, because: reason)
    } catch {
      throw .file(error)
    }
  }
}
