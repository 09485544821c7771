internal import ActorRuntime
internal import EventSourcing

/// Builds views' new files on a thread of its own, while the old ones answer and follow the log.
actor Rebuilder {
  struct Build {
    let view: ViewDefinition
    let file: ViewFile
  }

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

  /// Builds files from the log's beginning to nearly its head and gives them their names.
  ///
  /// - Parameter shallGoOn: asked between batches; false ends the work.
  /// - Throws: `unavailable`; then nothing of the files is left.
  func build(
    _ builds: [Build], while shallGoOn: @Sendable () -> Bool
  ) throws(ServiceError) {
    ThreadPriority.lower()
    for build in builds { directory.removeBuilding(build.file) }
    do throws(ReadModelError) {
      do throws(ReadModelError) {
        try fill(builds, .building, while: shallGoOn)
      } catch {
        guard error == .needsRollback else { throw error }
        for build in builds { directory.removeBuilding(build.file) }
        try fill(builds, .buildingWithRollback, while: shallGoOn)
      }
      for build in builds { try directory.finish(build.file) }
    } catch {
      for build in builds {
        directory.removeBuilding(build.file)
        directory.remove(build.file)
      }
      let names = builds.map(\.view.name).joined(separator: ", ")
      throw ServiceError(.unavailable, "\(names): not rebuilt: \(error.message)")
    }
  }

  private func fill(
    _ builds: [Build], _ use: ViewStore.Use, while shallGoOn: @Sendable () -> Bool
  ) throws(ReadModelError) {
    var writers: [any ViewWriter] = []
    defer { for writer in writers { writer.close() } }
    for build in builds {
      writers.append(
        try build.view.openWriter(directory.buildingPath(of: build.file), use, store))
    }
    let batch = ViewBatch(store: store, writers: writers)
    repeat {
      guard shallGoOn() else { throw .stopping }
      // Nobody waits for these rows yet, so a transaction may be larger than the projector's.
      try batch.advance(
        limit: ReadLimit(events: batchSize * Self.transactionFactor, bytes: 32 << 20))
      // The projector takes in the rest, which is no more than it takes at a time.
    } while batch.position.advanced(by: batchSize) < store.head
    for writer in writers { try writer.finish() }
  }

  /// Whether the file of a view is whole; reads all of it.
  func isSound(_ file: ViewFile) -> Bool { ViewStore.isSound(path: directory.path(of: file)) }

  /// Ends the thread. Nothing may be asked of the rebuilder any more.
  nonisolated func stop() { executor.stop() }
}

extension ReadModelError {
  fileprivate static let stopping = ReadModelError(
    code: 0, message: "the service stops", context: "rebuild views")
}
