internal import ActorRuntime
internal import FastJSON

/// Makes snapshots in the background, on a thread of low priority: from a stream's last snapshot and
/// its durable events since, never from the state that commands are decided on. So a large state
/// holds up no command, and what is not durable gets into no snapshot.
final class Snapshotter: Sendable {
  private typealias Work =
    @Sendable (Snapshotter, JSONParser) throws(ServiceError) -> PreparedSnapshot?

  private struct Line {
    var streams: [StreamID] = []
    var work: [StreamID: (bytes: Int, body: Work)] = [:]
    /// What the snapshots in the line that are made already take.
    var bytes = 0
    var isClosed = false
    var counts = SnapshotCounts()
  }

  /// Streams in the line; what comes beyond is dropped, and asked for again some events later.
  private static let lineLimit = 1000
  private static let byteLimit = 64 << 20

  private let store: any EventStore
  private let snapshots: any SnapshotStore
  private let line = Monitor(Line())
  private let thread = Lock<NamedThread?>(nil)

  init(store: any EventStore, snapshots: any SnapshotStore) {
    self.store = store
    self.snapshots = snapshots
    let started = NamedThread("snapshots") { [self] in
      ThreadPriority.lower()
      run()
    }
    thread.withLock { $0 = started }
  }

  var counts: SnapshotCounts { line.change { $0.counts } }

  /// Asks for a snapshot of a stream as it is when its turn comes. Never blocks.
  func request<A: Aggregate>(_: A.Type, _ stream: StreamID) {
    add(stream, bytes: 0) { snapshotter, parser throws(ServiceError) in
      try snapshotter.fold(A.self, stream, parser)
    }
  }

  /// Asks for a snapshot to be kept that is made already.
  func keep<A: Aggregate>(_ fold: StreamFold<A>) {
    let prepared = fold.snapshot
    let isTaken = add(prepared.snapshot.stream, bytes: prepared.snapshot.state.count) {
      _, _ throws(ServiceError) in prepared
    }
    if !isTaken { request(A.self, prepared.snapshot.stream) }
  }

  /// Ends the thread; what is in the line is dropped.
  func stop() {
    line.change { line in
      line.isClosed = true
      line.streams = []
      line.work = [:]
    }
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  @discardableResult
  private func add(_ stream: StreamID, bytes: Int, _ work: @escaping Work) -> Bool {
    line.change { line in
      if line.work[stream] != nil { return true }
      guard !line.isClosed, line.streams.count < Self.lineLimit,
        bytes == 0 || line.bytes + bytes <= Self.byteLimit
      else { return false }
      line.streams.append(stream)
      line.work[stream] = (bytes, work)
      line.bytes += bytes
      return true
    }
  }

  private var isClosed: Bool { line.change { $0.isClosed } }

  private func next() -> Work? {
    let work: Work?? = line.wait { line in
      if line.isClosed { return .some(nil) }
      guard !line.streams.isEmpty else { return nil }
      let work = line.work.removeValue(forKey: line.streams.removeFirst())
      line.bytes -= work?.bytes ?? 0
      return .some(work?.body)
    }
    return work ?? nil
  }

  private func run() {
    let parser = JSONParser()
    while let work = next() {
      do throws(ServiceError) {
        guard let prepared = try work(self, parser) else { continue }
        save(prepared)
      } catch {
        note(failure: error.message)
      }
    }
  }

  private func save(_ prepared: PreparedSnapshot) {
    do throws(SnapshotError) {
      try snapshots.save(prepared.snapshot, removals: prepared.removals)
      line.change { $0.counts.written += 1 }
    } catch {
      note(failure: error.description)
    }
  }

  private func note(failure: String) {
    line.change { line in
      line.counts.failed += 1
      line.counts.lastFailure = failure
    }
  }

  /// - Returns: nil where there is nothing new, or no time left.
  private func fold<A: Aggregate>(
    _: A.Type, _ stream: StreamID, _ parser: JSONParser
  ) throws(ServiceError) -> PreparedSnapshot? {
    var fold = try StreamFold<A>(stream, store: store, snapshots: snapshots)
    while try fold.step(parser) {
      if isClosed { return nil }
    }
    return fold.replayed > 0 && !isClosed ? fold.snapshot : nil
  }
}

/// What became of snapshots since the start.
public struct SnapshotCounts: Sendable, Equatable {
  public var written = 0
  public var failed = 0
  /// Why the last one failed that did.
  public var lastFailure: String?
}
