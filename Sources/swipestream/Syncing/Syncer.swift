internal import ActorRuntime
internal import EventSourcing
internal import MailFiles
internal import MailSync
internal import SwipestreamClient

/// Keeps a Maildir and a mailbox in step, on a thread of its own: it waits, and works on files.
final class Syncer {
  struct Options: Sendable {
    var stream: StreamID
    var isOnce: Bool
    var intervalMilliseconds: Int
  }

  /// Between two tries to reach a service that is away.
  private static let retryMilliseconds = 1000
  private static let pauseMilliseconds = 20...500

  let options: Options
  let client: ServiceClient
  let news: SyncMonitor
  let notes = SyncNotes()
  let sender: SyncSender
  let store: SyncStore
  var watch: MaildirWatch
  var state: SyncState
  /// Files that hold no mail, or none that the mailbox takes.
  var unusable: Set<MaildirKey> = []
  /// The ids of commands that were sent and not yet carried out.
  var ids: [SyncPlan.Command: String] = [:]
  /// The Maildir's version that was left with nothing to do; nil where something is open.
  var quietVersion: Int?
  private var isInStep = false

  init(_ folder: MaildirFolder, _ client: ServiceClient, _ options: Options, news: SyncMonitor) {
    self.options = options
    self.client = client
    self.news = news
    sender = SyncSender(client: client, news: news, notes: notes, isPatient: !options.isOnce)
    store = SyncStore(folder: folder, stream: options.stream)
    watch = MaildirWatch(folder)
    state = SyncState(stream: options.stream.description, log: "")
  }

  /// Passes until it is asked to stop, or one where only one is wanted.
  func run() throws(Failure) -> ExitStatus {
    if let stored = try store.load(notes) { state = stored }
    while !news.isStopping {
      guard let follower = try connect() else { continue }
      defer { follower.cancel() }
      while !news.change({ $0.isStopping || $0.isBroken }) {
        let began = MonotonicTime.milliseconds
        if let counts = try pass() {
          report(counts)
          if options.isOnce { return counts.failures == 0 ? .done : .refused }
        }
        pause(after: MonotonicTime.milliseconds - began)
      }
    }
    return .done
  }

  // MARK: The service

  /// Reads the mailbox and follows its events.
  ///
  /// - Returns: nil where it did not work this time.
  private func connect() throws(Failure) -> Task<Void, Never>? {
    if let failure = news.change({ $0.failure }) {
      guard !options.isOnce else { throw Failure(failure) }
      notes.once("service", "\(failure); trying again")
      news.sleep(milliseconds: Self.retryMilliseconds)
    }
    let (stream, client) = (options.stream, client)
    let snapshot: MailboxSnapshot
    do throws(ClientError) {
      snapshot = try Blocking.wait { () async throws(ClientError) in
        try await MailboxSnapshot.load(stream, client)
      }
    } catch {
      // Who is told to begin wants to know that nothing is there; later on it may come back.
      guard isInStep else { throw Failure(error) }
      notes.once("service", "\(error); waiting for it")
      news.sleep(milliseconds: Self.retryMilliseconds)
      return nil
    }
    adopt(log: snapshot.log)
    news.change { $0.begin(snapshot) }
    return news.follow(
      client.events(
        after: snapshot.position, filter: EventFilter(streamPrefix: stream.description)),
      of: stream)
  }

  /// Mail numbers are of one log: with another one, all is found out again.
  private func adopt(log: String) {
    guard state.log != log else { return }
    if !state.files.isEmpty { Output.complain("the service has another log; beginning anew") }
    state = SyncState(stream: options.stream.description, log: log)
    unusable = []
    ids = [:]
  }

  /// Waits until the mailbox as this sync knows it has what its commands did.
  func catchUp(to position: GlobalPosition) throws(Failure) {
    let timeout = options.isOnce ? client.timeoutMilliseconds : nil
    let isThere = news.wait(milliseconds: timeout) {
      $0.position >= position || $0.isStopping || $0.isBroken ? true : nil
    }
    if isThere == nil { throw Failure(.noService, "the service sends no events") }
  }

  // MARK: Pace

  /// Until an event comes or the interval is over; longer after a long pass, so that a busy mailbox
  /// does not keep a processor busy with passes.
  private func pause(after milliseconds: Int) {
    let range = Self.pauseMilliseconds
    news.sleep(milliseconds: min(max(range.lowerBound, 2 * milliseconds), range.upperBound))
    _ = news.wait(milliseconds: options.intervalMilliseconds) {
      $0.hasChanged || $0.isStopping || $0.isBroken ? true : nil
    }
  }

  /// Says what a pass did, also that the first one did nothing.
  private func report(_ counts: SyncCounts) {
    guard !isInStep || counts.didAnything else { return }
    isInStep = true
    Output.print(
      "in step with \(options.stream): \(counts.delivered) delivered, "
        + "\(counts.commands) changed there, \(counts.renames) changed here")
    Output.flush()
  }
}

/// Asynchronous work that a thread of our own waits for.
enum Blocking {
  static func wait<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(ClientError) -> Value
  ) throws(ClientError) -> Value {
    let result = Monitor<Result<Value, ClientError>?>(nil)
    Task {
      let value: Result<Value, ClientError>
      do throws(ClientError) {
        value = .success(try await body())
      } catch {
        value = .failure(error)
      }
      result.change { $0 = value }
    }
    // Without a limit the wait ends with a value only.
    guard let value = result.wait(until: { $0 }) else { throw .closed }
    return try value.get()
  }
}
