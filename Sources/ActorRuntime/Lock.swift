public import Glibc

/// A value behind a pthread mutex.
///
/// `Synchronization.Mutex` would do, but ThreadSanitizer reports false races inside it.
///
/// `@unchecked Sendable`: `state` is touched only between `pthread_mutex_lock` and `unlock`.
public final class Lock<State>: @unchecked Sendable {
  @usableFromInline var state: State
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

  public init(_ state: sending State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    precondition(pthread_mutex_init(mutex, nil) == 0)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  // Inlinable, so that it is compiled for the state at hand: as generic code it costs several times
  // the lock.
  @inlinable
  @inline(__always)
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}

/// A value behind a pthread mutex whose changes can be waited for.
///
/// `@unchecked Sendable`: `state` is touched only with `mutex` held; `pthread_cond_wait` holds it
/// again when it returns.
public final class Monitor<State>: @unchecked Sendable {
  private var state: State
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  public init(_ state: sending State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    precondition(pthread_mutex_init(mutex, nil) == 0)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    precondition(pthread_cond_init(condition, &attributes) == 0)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Changes the state and wakes whoever waits for it.
  public func change<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Waits until `body` gives a value, or the time is up (nil).
  public func wait<Result>(
    milliseconds: Int? = nil, until body: (inout State) -> Result?
  ) -> Result? {
    let deadline = milliseconds.map { Self.deadline(milliseconds: $0) }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      guard var deadline else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return body(&state) }
    }
  }

  private static func deadline(milliseconds: Int) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let nanoseconds = time.tv_nsec + (milliseconds % 1000) * 1_000_000
    time.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
  }
}
