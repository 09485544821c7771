public import EventSourcing

extension Projector {
  /// Builds a view anew from the log, or all views, and returns once the new files answer.
  ///
  /// Until then the old file answers and follows the log. A process that is killed meanwhile goes
  /// on with the old file.
  ///
  /// - Throws: `not-found` for a view that there is none of; `unavailable` where the log could not
  ///   be read, the file not written, or the service stops.
  public nonisolated func rebuild(_ name: String? = nil) async throws(ServiceError) {
    var views = ViewDefinition.all
    if let name { views = [try ViewDefinition.named(name)] }
    guard gate.enter() else { throw ServiceError(.unavailable, "the service stops") }
    defer { gate.leave() }
    try await rebuild(views)
  }

  /// The views are built side by side, so that the log is read once.
  private func rebuild(_ views: [ViewDefinition]) async throws(ServiceError) {
    var builds: [Rebuilder.Build] = []
    for view in views {
      guard let index = active.firstIndex(where: { $0.view.name == view.name }) else {
        throw ServiceError(.unavailable, "the views are not started")
      }
      active[index].lastGeneration += 1
      let file = ViewFile(
        view: view.name, version: view.version, generation: active[index].lastGeneration)
      builds.append(Rebuilder.Build(view: view, file: file))
    }
    for view in views { board.update(view.name) { $0.rebuilds += 1 } }
    defer { for view in views { board.update(view.name) { $0.rebuilds -= 1 } } }
    let gate = gate
    try await rebuilder.build(builds) { gate.isOpen }
    for build in builds { try adopt(build.file) }
  }

  /// Brings a finished file level with the one that answers, and puts it in its place.
  private func adopt(_ file: ViewFile) throws(ServiceError) {
    guard let index = active.firstIndex(where: { $0.view.name == file.view }) else { return }
    // A file that was begun later is in place already.
    guard file.generation > active[index].file.generation else { return directory.remove(file) }
    do throws(ReadModelError) {
      let writer = try active[index].view.openWriter(directory.path(of: file), .serving, store)
      try level(writer, with: active[index].writer?.position ?? .start)
      let old = active[index]
      active[index].writer = writer
      active[index].file = file
      let (position, parked) = (writer.position, writer.parkedCount)
      board.update(old.view.name) { entry in
        entry.file = file
        entry.position = max(position, entry.position)
        entry.parked = parked
        entry.failure = nil
      }
      old.writer?.close()
      directory.remove(old.file)
    } catch {
      directory.remove(file)
      throw ServiceError(
        .unavailable, "the view \(file.view) was not rebuilt: \(error.description)")
    }
    wake()
  }

  private func level(
    _ writer: any ViewWriter, with position: GlobalPosition
  ) throws(ReadModelError) {
    while writer.position < position {
      let before = writer.position
      try ViewBatch(store: store, writers: [writer]).advance(
        limit: ReadLimit(events: Self.batchSize))
      guard writer.position > before else {
        throw ReadModelError(code: 0, message: "the log ended early", context: "read the log")
      }
    }
  }
}
