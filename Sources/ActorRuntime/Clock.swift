internal import Glibc

/// Where wall-clock time comes from; tests set it by hand.
public protocol WallClock: Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z. May step either way.
  var microsecondsSinceEpoch: Int64 { get }
}

/// The machine's clock.
public struct SystemClock: WallClock {
  public init() {}

  public var microsecondsSinceEpoch: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}

/// Time that only goes forwards, for intervals and deadlines.
public enum MonotonicTime {
  public static var nanoseconds: UInt64 { nanoseconds(CLOCK_MONOTONIC) }

  /// How long the calling thread has had a core, whatever else the machine did.
  public static var threadNanoseconds: UInt64 { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }

  public static var milliseconds: Int { Int(nanoseconds / 1_000_000) }

  private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// Where monotonic time comes from; tests set it by hand.
public protocol MonotonicClock: Sendable {
  /// From an arbitrary start; never goes back.
  var milliseconds: Int { get }
}

/// The machine's monotonic clock.
public struct SystemMonotonicClock: MonotonicClock {
  public init() {}

  public var milliseconds: Int { MonotonicTime.milliseconds }
}
