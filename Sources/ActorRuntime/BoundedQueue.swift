/// A first-in, first-out queue between threads with a stated limit.
///
/// Producers are never blocked: what does not fit is refused, and they decide.
public final class BoundedQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var weight = 0
    var isClosed = false
  }

  private let limit: Int
  private let state = Monitor(State())

  /// - Parameter limit: the total weight that may wait, in the caller's unit.
  public init(limit: Int) { self.limit = limit }

  /// Adds an element. An empty queue takes any weight, so that nothing is too heavy for ever.
  ///
  /// - Returns: false where the queue is full or closed; then nothing was added.
  public func push(_ element: Element, weight: Int = 1) -> Bool {
    state.change { state in
      guard !state.isClosed, state.elements.isEmpty || state.weight + weight <= limit else {
        return false
      }
      state.elements.append(element)
      state.weight += weight
      return true
    }
  }

  /// Waits for elements and takes all of them; nil once the queue is closed and empty. With a time
  /// limit, an empty array where none came in time.
  public func popAll(milliseconds: Int? = nil) -> [Element]? {
    let taken: [Element]?? = state.wait(milliseconds: milliseconds) { state in
      if state.elements.isEmpty { return state.isClosed ? .some(nil) : nil }
      defer {
        state.elements = []
        state.weight = 0
      }
      return .some(state.elements)
    }
    return taken ?? []
  }

  /// Refuses further elements; those inside can still be taken.
  public func close() { state.change { $0.isClosed = true } }
}
