/// A command that the service sends to itself. Its id begins with `~`, which clients' ids never do.
public struct ServiceCommand: Sendable, Equatable {
  public let id: CommandID
  public let stream: StreamID
  /// The command's name on the wire.
  public let name: String
  /// A JSON object.
  public let data: [UInt8]
  /// The revision that the stream must have; nil where any will do.
  public let expected: Revision?
  /// The event that the command comes of; it is told as the causation of what the command writes.
  public let cause: GlobalPosition

  /// - Precondition: `id` is one of the service's own.
  public init(
    id: CommandID, stream: StreamID, name: String, data: [UInt8], expected: Revision? = nil,
    cause: GlobalPosition
  ) {
    precondition(id.isReserved, "a command of the service has an id that begins with '~'")
    self.id = id
    self.stream = stream
    self.name = name
    self.data = data
    self.expected = expected
    self.cause = cause
  }
}

/// Carries out the service's own commands: as those of clients, by the aggregate that owns the
/// stream, in its turn, and once for each id.
public protocol CommandSink: Sendable {
  /// Sends commands together, in this order, and returns when all are answered. Never throws: what
  /// is refused is so for one command.
  ///
  /// - Returns: a result for each command, in their order.
  func carryOut(_ commands: [ServiceCommand]) async -> [Result<CommandReceipt, ServiceError>]
}

extension CommandID {
  /// An id of the service's own: `~wake-90412`. The same work gives the same id, so that it is done
  /// once however often it is tried.
  ///
  /// - Parameters:
  ///   - name: what is done, as short as a command's name.
  ///   - cause: the event that it comes of.
  public static func ofService(_ name: String, _ cause: GlobalPosition) -> CommandID {
    guard let id = CommandID("~\(name)-\(cause)") else {
      preconditionFailure("'\(name)' makes no command id")
    }
    return id
  }
}
