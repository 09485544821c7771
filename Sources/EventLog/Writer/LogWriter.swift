internal import ActorRuntime
internal import EventSourcing

/// The one thread that adds to the log: takes all that waits, writes it, syncs once, tells everyone.
///
/// It makes its state on its own thread and never lets go of it.
final class LogWriter {
  private enum Mode {
    case writable
    /// Writing failed, and what was written in vain is not taken back yet: nobody may be told.
    case cutting([PendingAnswer], reason: String)
    case readOnly(reason: String)
  }

  private let core: LogCore
  private let queue: AppendQueue
  private let clock: any WallClock
  private let probeMilliseconds: Int
  private let appender: SegmentAppender
  private let marker: HeadMarker
  private var group: GroupBuilder
  private var pending: [PendingAnswer] = []
  private var mode = Mode.writable
  private var nextAttempt = 0

  /// - Parameter startsReadOnly: why there is no room to write at the start.
  init(
    core: LogCore, queue: AppendQueue, appender: SegmentAppender, marker: HeadMarker,
    clock: any WallClock, probeMilliseconds: Int, startsReadOnly: String?
  ) {
    self.core = core
    self.queue = queue
    self.appender = appender
    self.marker = marker
    self.clock = clock
    self.probeMilliseconds = probeMilliseconds
    group = GroupBuilder(core: core, appender: appender)
    if let startsReadOnly { becomeReadOnly(reason: startsReadOnly) }
  }

  /// Serves the queue until it is closed and empty.
  func run() {
    while turn(waitingAtMost: waitingTime) {}
    end()
  }

  /// Takes what waits, and does what is due.
  ///
  /// - Returns: false once the queue is closed and empty.
  func turn(waitingAtMost milliseconds: Int?) -> Bool {
    guard let requests = queue.popAll(milliseconds: milliseconds) else { return false }
    switch mode {
    case .writable: commit(requests)
    case .readOnly(let reason):
      for request in requests { PendingAnswer(unwritten: request, reason: reason).give() }
      attempt()
    case .cutting(let answers, let reason):
      // Nothing is written of these, but answers come in order.
      let more = requests.map { PendingAnswer(unwritten: $0, reason: reason) }
      mode = .cutting(answers + more, reason: reason)
      attempt()
    }
    return true
  }

  /// A last try to take back what was written in vain; where it fails too, nobody can be told that nothing was written.
  func end() {
    if case .cutting(let answers, let reason) = mode { cut(answers, reason: reason) }
    queue.writerEnds()
  }

  private var waitingTime: Int? {
    if case .writable = mode { return nil }
    return max(nextAttempt - MonotonicTime.milliseconds, 0)
  }

  private func commit(_ requests: [AppendRequest]) {
    var taken = 0
    do throws(StorageError) {
      for request in requests {
        try take(request)
        taken += 1
      }
      try finishGroup()
    } catch {
      fail(error, untaken: requests[taken...])
    }
  }

  private func take(_ request: AppendRequest) throws(StorageError) {
    var result = Result<AppendReceipt, AppendError>.failure(.overloaded)
    if case .batch(let batch) = request.content {
      let length = batch.storedLength
      if !group.hasRoom(for: length) {
        try finishGroup()
        if !group.hasRoom(for: length) { try advance() }
      }
      result = try group.add(batch, length: length)
    }
    pending.append(PendingAnswer(result: result, completion: request.completion))
  }

  private func finishGroup() throws(StorageError) {
    let head = core.head
    try group.commit(marker)
    let answers = pending
    pending.removeAll(keepingCapacity: true)
    for answer in answers { answer.give() }
    if core.head != head { core.observers.tell(GlobalPosition(core.head)) }
  }

  /// Goes on to the next segment.
  private func advance() throws(StorageError) {
    index(try appender.advance(created: clock.microsecondsSinceEpoch))
  }

  private func index(_ sealed: SegmentAppender.Sealed) {
    if let live = sealed.segment.withLive({ $0 }) {
      core.indexes.save(live, of: sealed.segment, sealed.seal)
    }
    core.catalog.add(sealed.next)
    sealed.segment.becomeSealed(sealed.seal)
  }

  private func fail(_ error: StorageError, untaken: ArraySlice<AppendRequest>) {
    let reason = error.description
    let waiting = untaken + (queue.popAll(milliseconds: 0) ?? [])
    let answers = pending + waiting.map { PendingAnswer(unwritten: $0, reason: reason) }
    pending = []
    group.abandon()
    core.readOnlyReason.withLock { $0 = reason }
    cut(answers, reason: reason)
  }

  private func cut(_ answers: [PendingAnswer], reason: String) {
    mode = .cutting(answers, reason: reason)
    nextAttempt = MonotonicTime.milliseconds + probeMilliseconds
    do throws(StorageError) {
      try appender.cut()
    } catch {
      return
    }
    becomeReadOnly(reason: reason)
    for answer in answers { answer.refuse(reason: reason) }
  }

  private func becomeReadOnly(reason: String) {
    mode = .readOnly(reason: reason)
    core.readOnlyReason.withLock { $0 = reason }
    nextAttempt = MonotonicTime.milliseconds + probeMilliseconds
  }

  private func attempt() {
    if MonotonicTime.milliseconds < nextAttempt { return }
    switch mode {
    case .writable: return
    case .cutting(let answers, let reason): cut(answers, reason: reason)
    case .readOnly: revive()
    }
  }

  private func revive() {
    do throws(StorageError) {
      if let sealed = try appender.revive(created: clock.microsecondsSinceEpoch) { index(sealed) }
    } catch {
      return becomeReadOnly(reason: error.description)
    }
    mode = .writable
    core.readOnlyReason.withLock { $0 = nil }
  }
}
