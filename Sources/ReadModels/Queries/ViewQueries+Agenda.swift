public import EventSourcing

/// The agenda for whoever does what is due.
extension ViewQueries: AgendaSource {
  private static let agenda = AgendaProjection.name
  private static let waitMilliseconds = 5000

  /// Looks twice: what seems to be due may be done already by events that the view has not taken in.
  ///
  /// A stream's revision is read before the view is awaited, so that the second look reflects all
  /// events up to it: a command that expects this revision is decided on what was seen here.
  public nonisolated func due(
    at time: Timestamp, limit: Int, without exclusions: AgendaExclusions
  ) async throws(ServiceError) -> AgendaPage {
    guard gate.enter() else { throw Self.stopping }
    defer { gate.leave() }
    let view = try ViewDefinition.named(Self.agenda)
    let now = Int(time.microseconds)
    let page = try await due(view, at: now, limit: limit, without: exclusions, in: nil)
    if page.works.isEmpty { return page }
    let revisions = try await revisions(of: Set(page.works.map(\.stream)))
    try await wait(
      for: view, toReach: projector.store.head, milliseconds: Self.waitMilliseconds)
    return try await due(view, at: now, limit: limit, without: exclusions, in: revisions)
  }

  public nonisolated func onAgendaChange(_ body: (@Sendable () -> Void)?) {
    projector.board.onChange(of: Self.agenda, body)
  }

  /// What became of the moves that a command asked for, as one JSON object of further members of its
  /// `result`.
  ///
  /// - Throws: `timeout` where the agenda has not come to the command in time, `unavailable`.
  public nonisolated func moves(
    of command: CommandReceipt, milliseconds: Int = ViewQuery.defaultTimeout
  ) async throws(ServiceError) -> [UInt8] {
    guard gate.enter() else { throw Self.stopping }
    defer { gate.leave() }
    let view = try ViewDefinition.named(Self.agenda)
    try await wait(for: view, toReach: command.position, milliseconds: milliseconds)
    let last = Int(clamping: command.position.rawValue)
    let first = last - max(command.eventCount, 1) + 1
    return try await withAgenda(view) { reader throws(ReadModelError) in
      try reader.moves(of: first...last)
    }
  }

  private func due(
    _ view: ViewDefinition, at now: Int, limit: Int, without exclusions: AgendaExclusions,
    in revisions: [StreamID: Revision]?
  ) throws(ServiceError) -> AgendaPage {
    try withAgenda(view) { reader throws(ReadModelError) in
      try reader.due(at: now, limit: limit, without: exclusions, in: revisions)
    }
  }

  /// On the queries' thread, as it may have to read the log's index.
  private func revisions(
    of streams: Set<StreamID>
  ) throws(ServiceError) -> [StreamID: Revision] {
    var revisions: [StreamID: Revision] = [:]
    for stream in streams {
      do throws(ReadError) {
        revisions[stream] = try projector.store.revision(of: stream)
      } catch {
        throw ServiceError(.unavailable, "\(stream): \(error)")
      }
    }
    return revisions
  }

  private func withAgenda<Value: Sendable>(
    _ view: ViewDefinition, _ body: @Sendable (AgendaReader) throws(ReadModelError) -> Value
  ) throws(ServiceError) -> Value {
    try reading(view) { reader throws(ReadModelError) in
      guard let agenda = reader as? AgendaReader else {
        preconditionFailure("the agenda's reader is another view's")
      }
      return try body(agenda)
    }
  }
}
