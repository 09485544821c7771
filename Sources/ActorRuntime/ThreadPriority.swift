internal import Glibc

/// How much of a processor a thread gets while others want it too.
public enum ThreadPriority {
  /// Lets the calling thread stand back behind the process's other ones. Where the system refuses,
  /// it goes on as it was.
  public static func lower() {
    // On Linux 0 means the calling thread, not the process.
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
  }
}
