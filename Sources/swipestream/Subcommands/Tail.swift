internal import EventSourcing
internal import FastJSON
internal import SwipestreamClient

/// Follows the log.
enum Tail: Subcommand {
  static let name = "tail"
  static let summary = "print events as they become durable, history first if asked"
  static let help = """
    usage: swipestream tail [--from POSITION|start|end] [--stream PREFIX] [--type T]…
                            [--cloudevents] [--previews]

    Prints one JSON object per event, and goes on until interrupted. When the service goes
    away meanwhile, it waits for it and goes on where it was.

      --from P        behind this position; start: all history; end (default): only new
      --stream PREFIX only streams whose name begins so, for example list/
      --type T        only this event type; may be given several times
      --cloudevents   CloudEvents 1.0 JSON
      --previews      also how items are dragged before they are dropped, as {"preview":{…}}
    \(ClientSession.optionHelp)

    examples:
      swipestream tail --from start --stream list/
      swipestream tail --type mail.trashed --type mail.restored
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(
      arguments,
      .client(flags: ["--cloudevents", "--previews"], values: ["--from", "--stream", "--type"]))
    _ = try arguments.exactly()
    let session = try ClientSession(arguments)
    let from = try start(try arguments.one("--from") ?? "end", session)
    let events = session.client.events(
      after: from, filter: try Argument.filter(arguments), previews: arguments.has("--previews"))
    let log = arguments.has("--cloudevents") ? try await session.request("status")["log"] : nil
    do {
      for try await element in events {
        switch element {
        case .events(let events):
          for event in events { Output.print(line(event, log: log?.string)) }
        case .preview(let preview): Output.print((["preview": preview.json] as JSON).bytes)
        case .live, .heartbeat: continue
        }
        Output.flush()
      }
    } catch let error as ClientError {
      throw Failure(error)
    } catch {
      throw Failure(.refused, "\(error)")
    }
    return .done
  }

  private static func start(
    _ text: String, _ session: ClientSession
  ) throws(Failure) -> GlobalPosition? {
    switch text {
    case "end": return nil
    case "start": return .start
    default:
      guard let position = UInt64(text), position <= Int.max else {
        throw Failure(.usage, "--from must be a position, start or end, not '\(text)'")
      }
      return GlobalPosition(position)
    }
  }

  private static func line(_ event: Event, log: String?) -> [UInt8] {
    guard let log else { return event.json.bytes }
    return CloudEvent.json(event, log: log).bytes
  }
}

/// Events as CloudEvents 1.0 in JSON (https://cloudevents.io).
enum CloudEvent {
  static func json(_ event: Event, log: String) -> JSON {
    [
      "specversion": "1.0", "id": .string(event.position.description),
      "source": .string("urn:uuid:\(log)"), "type": .string(event.type),
      "subject": .string(event.stream), "time": .string(event.time),
      "datacontenttype": "application/json", "revision": .integer(Int(event.revision.rawValue)),
      "schemanumber": .integer(event.schema), "data": event.data,
    ]
  }
}
