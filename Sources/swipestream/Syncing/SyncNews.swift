internal import ActorRuntime
internal import EventSourcing
internal import FastJSON
internal import MailSync
internal import SwipestreamClient

/// What reaches a running sync from outside: the mailbox's events, and the wish to stop.
struct SyncNews {
  /// The mailbox as of `position`.
  var flags = ServiceFlags()
  /// All of the mailbox's events up to here are in `flags`.
  var position = GlobalPosition.start
  /// Whether an event came since the last pass began.
  var hasChanged = false
  /// Why no more events come.
  var failure: ClientError?
  /// Counts the subscriptions, so that what an old one still says is told apart.
  var generation = 0
  var isStopping = false

  /// Whether `flags` can no longer be kept up, and must be read again.
  var isBroken: Bool { failure != nil || flags.isIncomplete }

  mutating func begin(_ snapshot: MailboxSnapshot) {
    flags = snapshot.flags
    position = snapshot.position
    hasChanged = true
    failure = nil
    generation += 1
  }

  mutating func take(_ element: EventSubscription.Element, of stream: StreamID) {
    switch element {
    case .events(let events):
      for event in events {
        position = max(position, event.position)
        // The prefix lets through every stream whose name goes on.
        guard event.stream == stream.description, let mail = event.data["mail"]?.integer else {
          continue
        }
        flags.apply(event.type, mail: mail, delivered: event.deliveredFlags)
        hasChanged = true
      }
    case .live(let position): self.position = max(self.position, position)
    case .heartbeat, .preview: break
    }
  }
}

/// The sync's own thread sleeps here, and everything that wakes it changes this.
typealias SyncMonitor = Monitor<SyncNews>

extension Monitor where State == SyncNews {
  /// Sleeps, but not past the wish to stop.
  func sleep(milliseconds: Int) {
    _ = wait(milliseconds: milliseconds) { $0.isStopping ? true : nil }
  }

  var isStopping: Bool { change { $0.isStopping } }

  /// Whether an event came since this was asked last.
  func takeChange() -> Bool {
    change { news in
      defer { news.hasChanged = false }
      return news.hasChanged
    }
  }

  /// Takes in a subscription's events until it fails or is cancelled.
  func follow(_ events: EventSubscription, of stream: StreamID) -> Task<Void, Never> {
    let generation = change { $0.generation }
    return Task {
      var failure = ClientError.closed
      do {
        for try await element in events {
          change { if $0.generation == generation { $0.take(element, of: stream) } }
        }
      } catch let error as ClientError {
        failure = error
      } catch {}
      change { if $0.generation == generation { $0.failure = failure } }
    }
  }
}
