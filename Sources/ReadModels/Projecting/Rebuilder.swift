internal import ActorRuntime
internal import EventSourcing

/// Builds a view's new file on a thread of its own, while the old one answers and follows the log.
actor Rebuilder {
  private let executor = ThreadExecutor(name: "rebuilder")
  private let store: any EventStore
  private let directory: ViewDirectory
  private let batchSize: Int
  private static let transactionFactor = 5

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(store: any EventStore, directory: ViewDirectory, batchSize: Int) {
    self.store = store
    self.directory = directory
    self.batchSize = batchSize
  }

  /// Builds `file` from the log's beginning to nearly its head and gives it its name.
  ///
  /// - Parameter shallGoOn: asked between batches; false ends the work.
  /// - Throws: `unavailable`; then nothing of the file is left.
  func build(
    _ view: ViewDefinition, _ file: ViewFile, while shallGoOn: @Sendable () -> Bool
  ) throws(ServiceError) {
    directory.removeBuilding(file)
    do throws(ServiceError) {
      try fill(view, file, while: shallGoOn)
      try finish(file)
    } catch {
      directory.removeBuilding(file)
      throw error
    }
  }

  private func fill(
    _ view: ViewDefinition, _ file: ViewFile, while shallGoOn: @Sendable () -> Bool
  ) throws(ServiceError) {
    do throws(ReadModelError) {
      let writer = try view.openWriter(directory.buildingPath(of: file), .building, store)
      defer { writer.close() }
      repeat {
        guard shallGoOn() else { throw .stopping }
        // Nobody waits for these rows yet, so a transaction may be larger than the projector's.
        let events = try store.events(
          after: writer.position, limit: batchSize * Self.transactionFactor)
        try writer.take(events[...])
        // The projector takes in the rest, which is no more than it takes at a time.
      } while writer.position.advanced(by: batchSize) < store.head
    } catch {
      throw ServiceError(.unavailable, "the view \(view.name) was not rebuilt: \(error.message)")
    }
  }

  private func finish(_ file: ViewFile) throws(ServiceError) {
    do throws(ReadModelError) {
      try directory.finish(file)
    } catch {
      throw ServiceError(.unavailable, error.description)
    }
  }

  /// Whether the file of a view is whole; reads all of it.
  func isSound(_ file: ViewFile) -> Bool { ViewStore.isSound(path: directory.path(of: file)) }

  /// Ends the thread. Nothing may be asked of the rebuilder any more.
  nonisolated func stop() { executor.stop() }
}

extension ReadModelError {
  fileprivate static let stopping = ReadModelError(
    code: 0, message: "the service stops", context: "rebuild a view")
}
