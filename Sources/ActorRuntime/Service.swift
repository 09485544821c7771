/// A long-running part of the process.
public protocol Service: Sendable {
  var name: String { get }
  /// Returns once the part works; throws where it cannot.
  func start() async throws
  /// Returns once the part has let go of everything. Never called before `start` has returned.
  func stop() async
}

/// Starts services in order and stops those that started in the reverse order.
public actor ServiceGroup {
  private let services: [any Service]
  private var started: [any Service] = []

  public init(_ services: [any Service]) { self.services = services }

  /// - Throws: the first service's error, after the ones before it were stopped again.
  public func start() async throws {
    for service in services {
      do {
        try await service.start()
      } catch {
        await stop()
        throw error
      }
      started.append(service)
    }
  }

  public func stop() async {
    while let service = started.popLast() { await service.stop() }
  }
}
