internal import ActorRuntime
public import EventSourcing

extension Projector: ErasureFollower {
  private static let waits = 20
  private static let waitMilliseconds = 250

  /// Rows go with the purge; this makes their text go from the files too.
  public func forget(
    _ streams: Set<StreamID>, upTo position: GlobalPosition
  ) async throws(ServiceError) {
    for view in ViewDefinition.all where view.holdsText {
      let own = streams.filter { $0.category == view.category }
      if !own.isEmpty { try await forget(own, upTo: position, in: view) }
    }
  }

  private func forget(
    _ streams: Set<StreamID>, upTo position: GlobalPosition, in view: ViewDefinition
  ) async throws(ServiceError) {
    try await waitUntilReady(view, position)
    guard let index = active.firstIndex(where: { $0.view.name == view.name }),
      let writer = active[index].writer
    else { throw ServiceError(.unavailable, "the view \(view.name) is not open") }
    // A stream that is parked keeps its rows whatever its events say; only the log knows better.
    if streams.contains(where: writer.isParked) { return try await rebuild(view.name) }
    do throws(ReadModelError) {
      try writer.overwriteRemains()
    } catch {
      handle(error, of: index)
      wake()
      throw ServiceError(.unavailable, "the view \(view.name): \(error.description)")
    }
  }

  /// A rebuild that began earlier may have read the text, so its file is waited for, however long
  /// that takes.
  private func waitUntilReady(
    _ view: ViewDefinition, _ position: GlobalPosition
  ) async throws(ServiceError) {
    var waits = 0
    while gate.isOpen, !Task.isCancelled {
      let outcome = await board.wait(
        for: view.name, toReach: position, milliseconds: Self.waitMilliseconds)
      if outcome == .reached {
        if board.entry(view.name)?.rebuilds == 0 { return }
        try? await Task.sleep(for: .milliseconds(Self.waitMilliseconds))
        continue
      }
      waits += 1
      guard waits < Self.waits else {
        throw ServiceError(
          .unavailable, "the view \(view.name) has not taken in position \(position) yet")
      }
    }
    throw ServiceError(.unavailable, "the service stops")
  }
}
