internal import ActorRuntime
internal import FastJSON
internal import ZeroMQSockets

/// A DEALER socket on a thread of its own, and what waits for its answers.
///
/// When the connection breaks, everything unanswered is sent again once it is back: commands carry
/// ids that make this safe, and the rest only reads.
actor Connection: PolledActor {
  typealias Completion = @Sendable (Result<[UInt8], ClientError>) -> Void

  enum Submission: Sendable {
    case request(id: String, content: [UInt8], milliseconds: Int, Completion)
    /// Where a subscription's messages go.
    case listen(subscription: String, AsyncStream<SubscriptionSignal>.Continuation)
    case ignore(subscription: String)
    case close
  }

  /// Two heartbeats and some: a subscription silent for longer is gone.
  private static let silenceMilliseconds = 12_000

  private static let earlySignals = 1000

  private struct Listener {
    let continuation: AsyncStream<SubscriptionSignal>.Continuation
    var lastHeard: Int
  }

  private struct Waiting {
    /// Counts requests, so that they can be sent again in their order.
    let number: Int
    let content: [UInt8]
    let deadline: Int
    let milliseconds: Int
    let completion: Completion
  }

  private let endpoint: String
  private nonisolated let executor: PollingExecutor
  private nonisolated let submissions: Handoff<Submission>
  private nonisolated let isClosed = Monitor(false)
  private nonisolated let takesSubmissions = Lock(true)
  private var context: Context?
  private var link: DealerLink?
  private var polled: PollSet
  private let parser = JSONParser()
  /// By request id; requests that share one are answered in the order they were sent.
  private var waiting: [String: [Waiting]] = [:]
  private var listeners: [String: Listener] = [:]
  /// Messages of subscriptions that are answered and not yet listened to.
  private var early: [String: [SubscriptionSignal]] = [:]
  private var unsent: [[UInt8]] = []
  private var nextNumber = 0
  private var links = 1
  private var nextDeadlineCheck = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(endpoint: String, name: String) throws(ClientError) {
    self.endpoint = endpoint
    executor = PollingExecutor(name: name)
    submissions = Handoff(to: executor)
    let context = Context()
    do throws(ZeroMQError) {
      let link = try DealerLink(to: endpoint, in: context, number: links)
      polled = link.polled(waking: executor.wakeDescriptor)
      self.link = link
      self.context = context
    } catch {
      throw .cannotConnect(error.description)
    }
  }

  nonisolated func start() { executor.start(driving: self) }

  nonisolated func submit(_ submission: Submission) {
    let isTaken = takesSubmissions.withLock { isTaken in
      if isTaken { submissions.give(submission) }
      return isTaken
    }
    if !isTaken { Self.refuse(submission) }
  }

  private static func refuse(_ submission: Submission) {
    switch submission {
    case .request(_, _, _, let completion): completion(.failure(.closed))
    case .listen(_, let listener): listener.finish()
    case .ignore, .close: break
    }
  }

  /// Ends the thread; what waits is told so. Not from a completion, which is on that thread.
  nonisolated func close() {
    let isFirst = takesSubmissions.withLock { isTaken in
      defer { isTaken = false }
      if isTaken { submissions.give(.close) }
      return isTaken
    }
    guard isFirst else { return }
    _ = isClosed.wait { $0 ? true : nil }
    executor.stop()
  }

  func turn(mayBlock: Bool) {
    var didWork = takeSubmissions()
    sendUnsent()
    didWork = receive() || didWork
    checkConnection()
    checkDeadlines()
    if mayBlock && !didWork { polled.wait(milliseconds: unsent.isEmpty ? 100 : 1) }
  }

  private func takeSubmissions() -> Bool {
    let taken = submissions.takeAll()
    for submission in taken {
      switch submission {
      case .request(let id, let content, let milliseconds, let completion):
        guard link != nil else {
          completion(.failure(.closed))
          continue
        }
        waiting[id, default: []].append(
          Waiting(
            number: nextNumber, content: content,
            deadline: MonotonicTime.milliseconds + milliseconds,
            milliseconds: milliseconds, completion: completion))
        nextNumber += 1
        unsent.append(content)
      case .listen(let subscription, let listener):
        listeners[subscription] = Listener(
          continuation: listener, lastHeard: MonotonicTime.milliseconds)
        for signal in early.removeValue(forKey: subscription) ?? [] { listener.yield(signal) }
      case .ignore(let subscription):
        early[subscription] = nil
        listeners.removeValue(forKey: subscription)?.continuation.finish()
      case .close: shutDown()
      }
    }
    return !taken.isEmpty
  }

  private func sendUnsent() {
    guard let socket = link?.socket, !unsent.isEmpty else { return }
    var sent = 0
    for content in unsent {
      guard socket.send(content) == .sent else { break }
      sent += 1
    }
    unsent.removeFirst(sent)
  }

  private func receive() -> Bool {
    guard let socket = link?.socket else { return false }
    var count = 0
    while count < 1000, let message = socket.receiveMessage() {
      count += 1
      if let content = message.last { deliver(content) }
    }
    return count > 0
  }

  private func deliver(_ content: [UInt8]) {
    guard let value = try? parser.parse(content) else { return }
    if let subscription = value["sub"]?.string, value["id"] == nil {
      let signal = SubscriptionSignal.message(content)
      if let listener = listeners[subscription] {
        listener.continuation.yield(signal)
        listeners[subscription]?.lastHeard = MonotonicTime.milliseconds
      } else if let count = early[subscription]?.count, count < Self.earlySignals {
        early[subscription]?.append(signal)
      }
      return
    }
    guard let id = value["id"]?.string, var entries = waiting.removeValue(forKey: id) else {
      return
    }
    // A subscription begins with its answer; its messages may be here before its listener.
    if let subscription = value["sub"]?.string { early[subscription] = [] }
    let answered = entries.removeFirst()
    if !entries.isEmpty { waiting[id] = entries }
    answered.completion(.success(content))
  }

  private func checkConnection() {
    guard let context, let monitor = link?.monitor else { return }
    monitor.update()
    guard monitor.disconnections > 0 else { return }
    // A new socket: the old one would first send what it still holds, ahead of what was sent before
    // that and is lost.
    links += 1
    guard let next = try? DealerLink(to: endpoint, in: context, number: links) else { return }
    link = next
    polled = next.polled(waking: executor.wakeDescriptor)
    unsent = waiting.values.joined().sorted { $0.number < $1.number }.map(\.content)
    for listener in listeners.values { listener.continuation.yield(.disconnected) }
    listeners = [:]
    early = [:]
  }

  private func checkDeadlines() {
    let now = MonotonicTime.milliseconds
    guard now >= nextDeadlineCheck else { return }
    nextDeadlineCheck = now + 50
    for (id, entries) in waiting where entries.contains(where: { $0.deadline <= now }) {
      let rest = entries.filter { $0.deadline > now }
      waiting[id] = rest.isEmpty ? nil : rest
      for entry in entries where entry.deadline <= now {
        entry.completion(
          .failure(.noAnswer(endpoint: endpoint, milliseconds: entry.milliseconds)))
      }
    }
    for (subscription, listener) in listeners
    where now - listener.lastHeard > Self.silenceMilliseconds {
      listener.continuation.yield(.disconnected)
      listeners[subscription] = nil
    }
  }

  private func shutDown() {
    link = nil
    polled = PollSet(waking: executor.wakeDescriptor)
    context = nil
    for entry in waiting.values.joined() { entry.completion(.failure(.closed)) }
    waiting = [:]
    for listener in listeners.values { listener.continuation.finish() }
    listeners = [:]
    isClosed.change { $0 = true }
  }
}

/// What a subscriber is told by its connection.
enum SubscriptionSignal: Sendable {
  /// A whole message of the subscription, JSON.
  case message([UInt8])
  /// The connection broke: the subscription is gone with it.
  case disconnected
}

/// A DEALER socket under way to an endpoint, and what tells when its connection breaks.
private struct DealerLink {
  let socket: Socket
  let monitor: ConnectionMonitor

  /// - Parameter number: tells the context's links apart.
  init(to endpoint: String, in context: Context, number: Int) throws(ZeroMQError) {
    socket = try Socket(.dealer, in: context)
    try socket.setQueueLimits(send: 100_000, receive: 100_000)
    monitor = try ConnectionMonitor(of: socket, in: context, name: "client-\(number)")
    try socket.connect(endpoint)
  }

  func polled(waking descriptor: Int32) -> PollSet {
    var polled = PollSet(waking: descriptor)
    _ = polled.add(socket)
    _ = monitor.add(to: &polled)
    return polled
  }
}
