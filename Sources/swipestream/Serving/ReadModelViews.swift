internal import Domain
internal import EventSourcing
internal import Messaging
internal import ReadModels
internal import Wire

/// The read models behind the server's port.
struct ReadModelViews: ViewProvider {
  let projector: Projector
  let queries: ViewQueries
  let states: StateQueries

  func query(_ request: QueryRequest) async throws(ServiceError) -> [UInt8] {
    try await queries.query(
      ViewQuery(
        view: request.view, stream: request.stream,
        page: PageRequest(request.filter, limit: request.limit, cursor: request.cursor),
        atLeast: request.atLeast, timeout: request.timeoutMilliseconds))
  }

  func state(_ request: StateRequest) async throws(ServiceError) -> [UInt8] {
    try await states.state(request)
  }

  func rebuild(_ view: String?) async throws(ServiceError) { try await projector.rebuild(view) }

  func hasConsequences(_ command: CommandReceipt) -> Bool {
    command.stream.category == .mailbox && MailboxOutcome.isOfMove(command.outcome)
  }

  func consequences(of command: CommandReceipt) async throws(ServiceError) -> [UInt8] {
    try await queries.moves(of: command)
  }

  var standings: [ViewStanding] {
    projector.statuses.map {
      ViewStanding(
        name: $0.name, version: $0.version, position: $0.position, state: $0.state.rawValue,
        parked: $0.parked, reason: $0.reason)
    }
  }
}

extension PageRequest {
  /// - Throws: `invalid` for a filter that names nothing.
  init(_ filter: RowFilter, limit: Int, cursor: String?) throws(ServiceError) {
    try self.init(
      in: filter.box, label: filter.label, thread: filter.thread, limit: limit, cursor: cursor)
  }
}
