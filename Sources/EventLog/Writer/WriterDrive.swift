internal import ActorRuntime

/// Who takes the writer's turns: its own thread, or a simulation, one by one.
enum WriterDrive {
  case thread(NamedThread)
  case stepped(LogWriter, any StorageLock)
  case ended

  /// - Parameters:
  ///   - lock: released when the writer has ended.
  ///   - makeWriter: called on the thread that then has the writer for itself.
  init(isStepped: Bool, lock: any StorageLock, makeWriter: @escaping @Sendable () -> LogWriter) {
    if isStepped {
      self = .stepped(makeWriter(), lock)
    } else {
      self = .thread(
        NamedThread("log-writer") {
          makeWriter().run()
          lock.release()
        })
    }
  }

  func step() {
    if case .stepped(let writer, _) = self { _ = writer.turn(waitingAtMost: 0) }
  }

  /// Lets a writer whose queue is closed come to its end, and waits for it.
  mutating func end() {
    switch self {
    case .thread(let thread): thread.join()
    case .stepped(let writer, let lock):
      while writer.turn(waitingAtMost: 0) {}
      writer.end()
      lock.release()
    case .ended: break
    }
    self = .ended
  }
}
