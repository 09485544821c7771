public import ActorRuntime
internal import FastJSON

/// Follows the log and erases what purges ask for: out of the log, then out of everything that was
/// made of it, and records that it did. It has a thread of its own, and is in no hurry.
///
/// Erasures are done in the order of the log. What a crash interrupts is done again from the start,
/// which changes nothing where it was done.
public actor Eraser: Service {
  static let eventsPerRead = 4096
  /// Erasures that follow one another are done together, up to about this many.
  static let subjectsPerBatch = 16_384
  /// How many events may be searched again after a crash, without an erasure between them.
  static let eventsPerSave: UInt64 = 65_536

  public nonisolated let name = "eraser"
  nonisolated let store: any EventStore
  nonisolated let erasable: [StreamCategory: ErasableEvents]
  /// The names of the events that may ask for an erasure, in UTF-8.
  nonisolated let purges: [[UInt8]]
  nonisolated let followers: [any ErasureFollower]
  private let progress: any ErasureProgress
  nonisolated let clock: any WallClock
  private let retryMilliseconds: Int
  private nonisolated let executor = ThreadExecutor(name: "eraser")
  private nonisolated let shown: Lock<ErasureStatus>
  private nonisolated let wakes: AsyncStream<Void>
  private nonisolated let waker: AsyncStream<Void>.Continuation
  let parser = JSONParser()

  private var saved = GlobalPosition.start
  private var observation: HeadObservation?
  private var work: Task<Void, Never>?

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - store: the log.
  ///   - erasable: what can be erased, by category.
  ///   - followers: what else must let go of it, in this order.
  ///   - progress: where to keep how far the log was searched.
  public init(
    store: any EventStore, erasable: [ErasableEvents], followers: [any ErasureFollower],
    progress: any ErasureProgress, clock: any WallClock, retryMilliseconds: Int = 1000
  ) {
    self.store = store
    self.erasable = Dictionary(uniqueKeysWithValues: erasable.map { ($0.category, $0) })
    purges = Array(Set(erasable.map { Array($0.purge.description.utf8) }))
    self.followers = followers
    self.progress = progress
    self.clock = clock
    self.retryMilliseconds = retryMilliseconds
    (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    shown = Lock(ErasureStatus(position: .start, pending: 0, completed: 0, error: nil))
  }

  /// Cheap, from any thread.
  public nonisolated var status: ErasureStatus { shown.withLock { $0 } }

  nonisolated func show(_ body: (inout ErasureStatus) -> Void) { shown.withLock { body(&$0) } }

  // MARK: Service

  public func start() {
    ThreadPriority.lower()
    observation = store.observeHead { [waker] _ in waker.yield() }
    work = Task { await self.run() }
    waker.yield()
  }

  /// An erasure under way ends after the events it is at; the next start goes on with it.
  public nonisolated func stop() async {
    await end()
    executor.stop()
  }

  private func end() async {
    if let observation { store.cancel(observation) }
    observation = nil
    waker.finish()
    work?.cancel()
    await work?.value
  }

  // MARK: Following the log

  private func run() async {
    var isPlaced = false
    for await _ in wakes {
      while !Task.isCancelled {
        do throws(ServiceError) {
          if !isPlaced { try findPlace() }
          isPlaced = true
          let begun = MonotonicTime.milliseconds
          guard try await eraseNext() else { break }
          show { $0.error = nil }
          // Each costs a pass over a stream and over the views' files. While it rests as long as
          // it worked, more may gather for the next.
          await pause(min(MonotonicTime.milliseconds - begun, 10_000))
        } catch {
          if Task.isCancelled { break }
          show { $0.error = error.message }
          await pause(retryMilliseconds)
        }
      }
      // Heads move thousands of times a second; erasures need not.
      await pause(100)
    }
    save()
  }

  private func pause(_ milliseconds: Int) async {
    try? await Task.sleep(for: .milliseconds(milliseconds))
  }

  /// From here on the log is to be searched: where the last erasure was, or further on.
  private func findPlace() throws(ServiceError) {
    let (count, last) = try reading { () throws(ReadError) in
      let count = try store.revision(of: ErasureRecord.stream)
      guard count > .none else { return (count, nil as RecordedEvent?) }
      let before = Revision(count.rawValue - 1)
      return (
        count,
        try store.read(ErasureRecord.stream, after: before, limit: ReadLimit(events: 1)).first
      )
    }
    var place = last.flatMap { ErasureRecord.purge(in: $0) } ?? .start
    if let noted = progress.load(log: store.logID), noted <= store.head {
      place = max(place, noted)
    }
    saved = place
    show {
      $0.position = place
      $0.completed = Int(clamping: count.rawValue)
    }
  }

  /// - Returns: false where nothing more is to be erased now.
  private func eraseNext() async throws(ServiceError) -> Bool {
    let (found, end) = try search(after: status.position)
    guard var batch = found else {
      advance(to: end)
      return false
    }
    show { $0.pending = batch.count }
    try await erase(&batch)
    advance(to: end)
    save()
    return true
  }

  private func advance(to position: GlobalPosition) {
    show {
      $0.position = position
      $0.pending = 0
    }
    if position.rawValue - saved.rawValue >= Self.eventsPerSave { save() }
  }

  private func save() {
    let position = status.position
    guard position > saved else { return }
    progress.save(position, log: store.logID)
    saved = position
  }
}
