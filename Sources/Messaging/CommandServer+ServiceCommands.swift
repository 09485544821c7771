public import EventSourcing
internal import FastJSON

/// The service's own commands go the way of the clients' ones: into the registry, on the shard's
/// thread, in their turn. Only their answers do not leave the process.
extension CommandServer: CommandSink {
  public func carryOut(
    _ commands: [ServiceCommand]
  ) async -> [Result<CommandReceipt, ServiceError>] {
    guard !commands.isEmpty else { return [] }
    guard !isStopping else { return commands.map { _ in .failure(Self.stopping) } }
    return await withCheckedContinuation { waiting in
      let group = serviceSlots.begin(commands.count, waiting)
      for (index, command) in commands.enumerated() {
        let token = ServiceCommandSlots.token(index, in: group)
        do throws(ServiceError) {
          try submit(command, token: token)
        } catch {
          serviceSlots.settle(token, .failure(error))
        }
      }
    }
  }

  private func submit(_ command: ServiceCommand, token: Int) throws(ServiceError) {
    defer { withExtendedLifetime(parser) {} }
    let data: Result<JSONValue, ServiceError> = Result { () throws(JSONSyntaxError) in
      try parser.parse(command.data)
    }.mapError { ServiceError(.malformed, "the service's own command: \($0)") }
    try command.stream.description.withJSONText { stream throws(ServiceError) in
      try command.name.withJSONText { name throws(ServiceError) in
        try registry.submit(
          IncomingCommand(
            id: command.id, stream: stream, name: name, data: data, expected: command.expected,
            metadata: CommandMetadata(causation: "\(command.cause)"), token: token))
      }
    }
  }

  /// To be called when no answer can come any more.
  func endServiceCommands() { serviceSlots.failAll(Self.stopping) }

  private static let stopping = ServiceError(.unavailable, "the service stops")
}
