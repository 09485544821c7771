/// What a command did, durably.
public struct CommandReceipt: Sendable, Equatable {
  public var stream: StreamID
  /// Of the command's last event; the stream's present one where it wrote none.
  public var revision: Revision
  /// Of the command's last event; of the stream's last one where it wrote none.
  public var position: GlobalPosition
  public var eventCount: Int
  /// A JSON object.
  public var outcome: [UInt8]
  /// Whether this answers a command that was carried out before.
  public var isDuplicate: Bool

  public init(
    stream: StreamID, revision: Revision, position: GlobalPosition, eventCount: Int,
    outcome: [UInt8], isDuplicate: Bool = false
  ) {
    self.stream = stream
    self.revision = revision
    self.position = position
    self.eventCount = eventCount
    self.outcome = outcome
    self.isDuplicate = isDuplicate
  }

  /// The receipt of a command that the log remembers.
  public init(_ command: RecordedCommand, stream: StreamID, isDuplicate: Bool) {
    self.init(
      stream: stream, revision: command.revision, position: command.position,
      eventCount: command.eventCount, outcome: command.outcome, isDuplicate: isDuplicate)
  }

  /// A copy that stays.
  public init(_ view: ReceiptView) {
    self.init(
      stream: view.stream, revision: view.revision, position: view.position,
      eventCount: view.eventCount, outcome: Array(view.outcome), isDuplicate: view.isDuplicate)
  }
}

/// A receipt on its way out, valid only during the call that it is given to; its members are those of
/// ``CommandReceipt``.
public struct ReceiptView {
  public let stream: StreamID
  public let revision: Revision
  public let position: GlobalPosition
  public let eventCount: Int
  public let outcome: UnsafeRawBufferPointer
  public let isDuplicate: Bool

  public init(
    stream: StreamID, revision: Revision, position: GlobalPosition, eventCount: Int,
    outcome: UnsafeRawBufferPointer, isDuplicate: Bool
  ) {
    self.stream = stream
    self.revision = revision
    self.position = position
    self.eventCount = eventCount
    self.outcome = outcome
    self.isDuplicate = isDuplicate
  }
}

extension CommandReceipt {
  /// Calls `body` with a view of the receipt.
  public func withView<Result>(_ body: (ReceiptView) -> Result) -> Result {
    outcome.withUnsafeBytes {
      body(
        ReceiptView(
          stream: stream, revision: revision, position: position, eventCount: eventCount,
          outcome: $0, isDuplicate: isDuplicate))
    }
  }
}

/// The answer to a command, valid only during the call that it is given to.
public struct CommandAnswer {
  public let token: Int
  /// The command's id.
  public let id: UnsafeRawBufferPointer
  public let result: Result<ReceiptView, ServiceError>
}
