public import ActorRuntime
public import EventSourcing

/// Answers queries from the views' files, on a thread of its own with its own connections, so that
/// it neither waits for the projector nor keeps it waiting.
public actor ViewQueries: Service {
  public nonisolated let name = "queries"

  nonisolated let projector: Projector
  nonisolated let gate = Gate()
  private let executor = ThreadExecutor(name: "queries")
  private var readers: [String: (file: ViewFile, reader: any ViewReader)] = [:]

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameter projector: whose views are asked; it starts before and stops after.
  public init(projector: Projector) { self.projector = projector }

  /// Begins to let go of files that were replaced.
  public func start() {
    projector.board.onSwap { [weak self] in self?.letGoOfReplacedFiles() }
  }

  /// Ends waits, lets what is being answered end, and ends the thread.
  public nonisolated func stop() async {
    projector.board.onSwap(nil)
    projector.board.close()
    await gate.close()
    await closeReaders()
    executor.stop()
  }

  /// The reply's inner JSON, one object.
  ///
  /// - Throws: `not-found` for a view or stream that there is none of, `invalid` for parameters,
  ///   `timeout` where the view has not come to `atLeast` in time, `unavailable` where the view
  ///   cannot answer now.
  public nonisolated func query(_ query: ViewQuery) async throws(ServiceError) -> [UInt8] {
    guard gate.enter() else { throw Self.stopping }
    defer { gate.leave() }
    let view = try ViewDefinition.named(query.view)
    let stream = try Self.stream(of: query, in: view)
    let cursor = try query.page.check()
    if let position = query.atLeast {
      try await wait(for: view, toReach: position, milliseconds: query.timeout)
    }
    return try await answer(view, stream, query.page, cursor)
  }

  static let stopping = ServiceError(.unavailable, "the service stops")

  private static func stream(
    of query: ViewQuery, in view: ViewDefinition
  ) throws(ServiceError) -> StreamID {
    guard let stream = query.stream, stream.category == view.category else {
      throw ServiceError(
        .invalid, "'stream' must name a \(view.category), as '\(view.category)/…'")
    }
    return stream
  }

  // MARK: Waiting

  nonisolated func wait(
    for view: ViewDefinition, toReach position: GlobalPosition, milliseconds: Int
  ) async throws(ServiceError) {
    let board = projector.board
    switch await board.wait(for: view.name, toReach: position, milliseconds: milliseconds) {
    case .reached: return
    case .closed: throw Self.stopping
    case .timedOut:
      let entry = board.entry(view.name)
      let present = entry?.position ?? .start
      let head = projector.store.head
      let cause =
        position <= head
        ? "committed at \(position)" : "position \(position) is beyond the log's head \(head)"
      let failure = entry?.failure.map { ", as it fails: \($0)" } ?? ""
      throw ServiceError(.timeout, "\(cause), the view \(view.name) is at \(present)\(failure)")
    }
  }

  // MARK: Answering

  private func answer(
    _ view: ViewDefinition, _ stream: StreamID, _ page: PageRequest, _ cursor: PageCursor?
  ) throws(ServiceError) -> [UInt8] {
    // Before the reading begins, so that the file has all up to there.
    let position = projector.board.entry(view.name)?.position ?? .start
    let answer = try reading(view) { reader throws(ReadModelError) in
      try reader.page(of: stream, page, cursor: cursor, reflecting: position)
    }
    switch answer {
    case .json(let json): return json
    case .nothing(let json):
      guard exists(stream) else { throw missing(stream, in: view) }
      return json
    case .unknownStream: throw missing(stream, in: view)
    case .invalidCursor: throw PageCursor.invalid
    }
  }

  /// Calls `body` with the view's reader.
  func reading<Value>(
    _ view: ViewDefinition, _ body: (any ViewReader) throws(ReadModelError) -> Value
  ) throws(ServiceError) -> Value {
    guard gate.isOpen else { throw Self.stopping }
    // A rebuilt view may take the file's place between looking for it and opening it.
    var triesLeft = 3
    while true {
      guard let file = projector.board.entry(view.name)?.file else {
        throw ServiceError(.unavailable, "the view \(view.name) has no file now")
      }
      do throws(ReadModelError) {
        return try body(try reader(of: view, file))
      } catch {
        triesLeft -= 1
        drop(view.name)
        if projector.board.entry(view.name)?.file != file, triesLeft > 0 { continue }
        throw unavailable(view, file, error)
      }
    }
  }

  private func exists(_ stream: StreamID) -> Bool {
    (try? projector.store.revision(of: stream)) ?? .none > .none
  }

  private func reader(
    of view: ViewDefinition, _ file: ViewFile
  ) throws(ReadModelError) -> any ViewReader {
    if let open = readers[view.name], open.file == file { return open.reader }
    drop(view.name)
    let reader = try view.openReader(projector.directory.path(of: file))
    readers[view.name] = (file, reader)
    return reader
  }

  /// Why the view has nothing of the stream: a view that has not come to it yet says so.
  private func missing(_ stream: StreamID, in view: ViewDefinition) -> ServiceError {
    guard exists(stream) else { return ServiceError(.notFound, "\(stream) has no events") }
    let position = projector.board.entry(view.name)?.position ?? .start
    return ServiceError(
      .unavailable, "the view \(view.name) is at \(position) and has nothing of \(stream) yet")
  }

  private func unavailable(
    _ view: ViewDefinition, _ file: ViewFile, _ error: ReadModelError
  ) -> ServiceError {
    if error.isDamage {
      projector.board.update(view.name) { $0.damaged = file.generation }
      projector.wake()
    }
    return ServiceError(
      .unavailable, "the view \(view.name) cannot be read: \(error.message)")
  }

  // MARK: Files

  private nonisolated func letGoOfReplacedFiles() {
    guard gate.enter() else { return }
    Task {
      await dropReplaced()
      gate.leave()
    }
  }

  private func dropReplaced() {
    for (view, open) in readers where projector.board.entry(view)?.file != open.file { drop(view) }
  }

  private func drop(_ view: String) { readers.removeValue(forKey: view)?.reader.close() }

  private func closeReaders() {
    for view in readers.keys { drop(view) }
  }
}
