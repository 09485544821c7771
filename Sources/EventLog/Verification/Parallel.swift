internal import ActorRuntime
internal import Glibc
internal import Synchronization

/// Work spread over threads of its own, one for each core.
enum Parallel {
  private static var cores: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }

  /// `transform` of each element, in the elements' order. Blocks.
  static func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ transform: @escaping @Sendable (Element) -> Result
  ) -> [Result] {
    let results = Lock<[Result?]>(Array(repeating: nil, count: elements.count))
    let next = Lock(0)
    let work: @Sendable () -> Void = {
      while true {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        if index >= elements.count { return }
        let result = transform(elements[index])
        results.withLock { $0[index] = result }
      }
    }
    let threads = (1..<max(min(cores, elements.count), 1)).map { _ in
      NamedThread("log-verify", work)
    }
    work()
    for thread in threads { thread.join() }
    return results.withLock { $0.compactMap(\.self) }
  }
}

/// Counts what is read by several threads, and ends their reading when asked to.
final class ReadMeter: Sendable {
  private let total: Int
  private let onProgress: @Sendable (LogVerifier.Progress) -> Bool
  private let done = Atomic(0)
  private let ended = Atomic(false)

  init(total: Int, onProgress: @escaping @Sendable (LogVerifier.Progress) -> Bool) {
    self.total = total
    self.onProgress = onProgress
  }

  var isEnded: Bool { ended.load(ordering: .relaxed) }

  func add(_ count: Int) throws(StorageError) {
    let bytes = done.wrappingAdd(count, ordering: .relaxed).newValue
    if isEnded || !onProgress(LogVerifier.Progress(bytes: min(bytes, total), total: total)) {
      ended.store(true, ordering: .relaxed)
      throw StorageError(.read, path: "", code: ECANCELED)
    }
  }
}
