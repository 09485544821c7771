internal import CThreads

/// Brings memory near before it is looked at.
///
/// A look-up in a table of many megabytes waits for the memory longer than all else that a command
/// does takes; asked for early, the memory is there when it is needed.
public enum Prefetch {
  public static func memory(at address: UnsafeRawPointer) { swipestream_prefetch(address) }
}
