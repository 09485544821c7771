internal import ActorRuntime
public import EventSourcing
public import FastJSON
internal import Synchronization

/// A connection to a Swipestream service.
///
/// Requests may overlap freely; each answer finds its request by id. Commands of one client to one
/// stream are carried out in the order they were sent; when the connection breaks, what was not
/// answered is sent again in that order.
///
/// ```swift
/// let client = try ServiceClient()
/// let receipt = try await client.send("flag", ["mail": 3], to: StreamID("mailbox/inbox"))
/// print(receipt.position)
/// ```
public final class ServiceClient: Sendable {
  public static let defaultEndpoint = "tcp://127.0.0.1:7100"

  public let endpoint: String
  /// How long an answer is waited for, in milliseconds.
  public let timeoutMilliseconds: Int
  let connection: Connection
  private let prefix: String
  private let nextID = Atomic<Int>(1)

  /// Connects in the background; a service that is not there yet may still come.
  public init(
    endpoint: String = defaultEndpoint, timeoutMilliseconds: Int = 5000
  ) throws(ClientError) {
    self.endpoint = endpoint
    self.timeoutMilliseconds = timeoutMilliseconds
    prefix = String(UInt64.random(in: .min ... .max), radix: 36) + "-"
    connection = try Connection(endpoint: endpoint, name: "client")
    connection.start()
  }

  /// Ends the connection; what still waits gets ``ClientError/closed``.
  public func close() { connection.close() }

  /// An id that nobody else uses.
  public func newID() -> String {
    prefix + String(nextID.add(1, ordering: .relaxed).oldValue, radix: 36)
  }

  // MARK: Commands

  /// Sends a command and waits until it is durable.
  ///
  /// - Parameters:
  ///   - command: its name, for example `flag`.
  ///   - data: the command's data, as the command's documentation says.
  ///   - stream: the mailbox or list.
  ///   - id: the command's id; sent again with the same id it is carried out once.
  ///   - expected: the revision that the stream must have.
  public func send(
    _ command: String, _ data: JSON, to stream: StreamID, id: String? = nil,
    expecting expected: Revision? = nil
  ) async throws(ClientError) -> Receipt {
    let id = id ?? newID()
    let answer = try await request(
      CommandMessage(id: id, stream: stream, command: command, data: data, expected: expected)
        .content, id: id)
    return try Receipt(try Self.accepted(answer))
  }

  // MARK: Any request

  /// Sends a request and gives the whole answer, refusals included.
  ///
  /// - Parameters:
  ///   - content: one JSON object with the member `id`, the same as `id`.
  ///   - id: by which the answer is found.
  ///   - timeoutMilliseconds: how long to wait; nil is the client's own limit.
  public func request(
    _ content: [UInt8], id: String, timeoutMilliseconds: Int? = nil
  ) async throws(ClientError) -> [UInt8] {
    let result: Result<[UInt8], ClientError> = await withCheckedContinuation { continuation in
      submit(content, id: id, timeoutMilliseconds: timeoutMilliseconds) {
        continuation.resume(returning: $0)
      }
    }
    return try result.get()
  }

  /// Sends a request without waiting; `completion` is called once, on the connection's thread, and
  /// must not block. Requests of one thread leave in order.
  public func submit(
    _ content: [UInt8], id: String, timeoutMilliseconds: Int? = nil,
    completion: @escaping @Sendable (Result<[UInt8], ClientError>) -> Void
  ) {
    connection.submit(
      .request(
        id: id, content: content,
        milliseconds: timeoutMilliseconds ?? self.timeoutMilliseconds, completion))
  }

  /// Sends a request with the given members and gives the answer.
  ///
  /// - Throws: `refused` where the service says no.
  public func request(
    _ op: String, _ members: [JSON.Member] = [], timeoutMilliseconds: Int? = nil
  ) async throws(ClientError) -> JSON {
    let id = newID()
    let message = JSON.object([.init("op", .string(op)), .init("id", .string(id))] + members)
    return try Self.accepted(
      try await request(message.bytes, id: id, timeoutMilliseconds: timeoutMilliseconds))
  }

  /// The answer's content, if it is not a refusal.
  static func accepted(_ answer: [UInt8]) throws(ClientError) -> JSON {
    guard let json = try? JSON(parsing: answer), let ok = json["ok"]?.bool else {
      throw .unexpectedAnswer("it is no reply object")
    }
    if ok { return json }
    throw .refused(ServiceError(reply: json["error"] ?? .null))
  }
}

extension ServiceError {
  /// Reads the `error` member of a refusal.
  public init(reply error: JSON) {
    self.init(
      error["code"]?.string.flatMap(ErrorCode.init) ?? .unavailable,
      error["message"]?.string ?? "the service gave no reason",
      revision: error["revision"]?.revision,
      ids: error["ids"]?.array?.compactMap(\.integer) ?? [])
  }
}
