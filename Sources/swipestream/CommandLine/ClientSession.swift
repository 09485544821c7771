internal import EventSourcing
internal import FastJSON
internal import Glibc
internal import SwipestreamClient

/// A client as the subcommands use it: `--endpoint` and `--timeout` applied, errors as failures.
struct ClientSession {
  let client: ServiceClient

  /// Help lines for the options that every client subcommand has.
  static let optionHelp = """
      --endpoint EP   the service's command endpoint (or SWIPESTREAM_ENDPOINT;
                      default \(ServiceClient.defaultEndpoint))
      --timeout S     seconds to wait for an answer (default 5)
    """

  init(_ arguments: Arguments) throws(Failure) {
    let endpoint =
      try arguments.one("--endpoint") ?? Environment["SWIPESTREAM_ENDPOINT"]
      ?? ServiceClient.defaultEndpoint
    let milliseconds = try Self.timeoutMilliseconds(arguments)
    do throws(ClientError) {
      client = try ServiceClient(endpoint: endpoint, timeoutMilliseconds: milliseconds)
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }

  private static func timeoutMilliseconds(_ arguments: Arguments) throws(Failure) -> Int {
    guard let text = try arguments.one("--timeout") else { return 5000 }
    guard let seconds = Double(text), (0.001...86_400).contains(seconds) else {
      throw Failure(.usage, "--timeout must be seconds from 0.001 to 86400, not '\(text)'")
    }
    return Int(seconds * 1000)
  }

  /// The answer to a request; a refusal is a failure.
  func request(
    _ op: String, _ members: [JSON.Member] = [], timeoutMilliseconds: Int? = nil
  ) async throws(Failure) -> JSON {
    do throws(ClientError) {
      return try await client.request(op, members, timeoutMilliseconds: timeoutMilliseconds)
    } catch {
      throw Failure(error)
    }
  }
}

extension Failure {
  init(_ error: ClientError) {
    switch error {
    case .noAnswer:
      self.init(
        .noService, "\(error); is `swipestream serve` running there? (--endpoint names another)")
    default: self.init(.refused, "\(error)")
    }
  }
}

extension JSON {
  /// A reply's members without its frame.
  var answerMembers: [JSON.Member] { (members ?? []).filter { $0.key != "id" && $0.key != "ok" } }

  /// What a page's next page is asked for with; nil behind the last page.
  var nextCursor: JSON? { self["cursor"].flatMap { $0.isNull ? nil : $0 } }
}

/// The process's environment.
enum Environment {
  static subscript(name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}

/// Arguments that more than one subcommand reads.
enum Argument {
  static func stream(_ text: String) throws(Failure) -> StreamID {
    do throws(StreamIDError) {
      return try StreamID(text)
    } catch {
      throw Failure(.usage, "'\(text)' is \(error)")
    }
  }

  /// `--stream PREFIX` and `--type T …` as members of a request.
  static func filter(_ arguments: Arguments) throws(Failure) -> EventFilter {
    EventFilter(
      streamPrefix: try arguments.one("--stream"),
      types: Set(arguments.all("--type").map { EventType($0) }))
  }

  /// A position, or an RFC 3339 time.
  static func instant(_ text: String, _ option: String) throws(Failure) -> JSON {
    if let position = Int(text), position >= 0 { return .integer(position) }
    guard let time = Timestamp(text) else {
      throw Failure(
        .usage, "\(option) must be a position or a time like 2026-01-02T03:04:05Z, not '\(text)'")
    }
    return .string(time.description)
  }
}
