internal import EventSourcing
internal import FastJSON
internal import SwipestreamClient

/// Prints history and ends.
enum Replay: Subcommand {
  static let name = "replay"
  static let summary = "print the log's events, or a part of them, and end"
  static let help = """
    usage: swipestream replay [--from P] [--to P|TIME] [--stream PREFIX] [--type T]…

    Prints one JSON object per event, oldest first, up to the present head.

      --from P        behind this position (default: from the start)
      --to P|TIME     up to this position, or this RFC 3339 time, inclusive
      --stream PREFIX only streams whose name begins so
      --type T        only this event type; may be given several times
    \(ClientSession.optionHelp)
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(
      arguments, .client(values: ["--from", "--to", "--stream", "--type"]))
    _ = try arguments.exactly()
    let session = try ClientSession(arguments)
    let from = try arguments.integer("--from", in: 0...Int.max) ?? 0
    let end = try (try arguments.one("--to")).map { text throws(Failure) in
      try Argument.instant(text, "--to")
    }
    let events = session.client.events(
      after: GlobalPosition(UInt64(from)), filter: try Argument.filter(arguments))
    do {
      for try await element in events {
        switch element {
        case .events(let events):
          for event in events {
            if isBehind(event, end) { return .done }
            Output.print(line(event))
          }
        case .live: return .done
        case .heartbeat, .preview: continue
        }
      }
    } catch let error as ClientError {
      throw Failure(error)
    } catch {
      throw Failure(.refused, "\(error)")
    }
    return .done
  }

  /// Times in the log never go back and have one form, so they compare as text.
  private static func isBehind(_ event: Event, _ end: JSON?) -> Bool {
    switch end {
    case .integer(let position): event.position.rawValue > UInt64(position)
    case .string(let time): event.time > time
    default: false
    }
  }

  /// `prev` belongs to the subscription, not to the event.
  private static func line(_ event: Event) -> [UInt8] {
    JSON.object((event.json.members ?? []).filter { $0.key != "prev" }).bytes
  }
}
