internal import Glibc

/// How many files and sockets the process may have open.
enum DescriptorLimit {
  /// Kept for log segments, views and sockets of the process's own.
  private static let reserve = 512

  /// Raises the limit as far as it goes.
  ///
  /// - Returns: how many connections it leaves room for.
  static func raise() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let descriptors = Int(min(limit.rlim_cur, 1 << 20))
    return max(descriptors / 2, descriptors - reserve)
  }
}
