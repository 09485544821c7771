/// Does one kind of due work, by sending commands.
///
/// A step holds no state: what it must know it finds in the work, the log, and the receipts of the
/// commands that it sends. So it can be killed anywhere and begun again. For that,
/// - a command's id is made from ``DueWork/cause``, so that a second try finds the first one's receipt;
/// - and the rule itself refuses a second time, since the log remembers ids for a while only.
public protocol ProcessStep: Sendable {
  /// The kind of work that it does.
  var kind: WorkKind { get }

  /// Does the work, all of which is of this kind. Runs on the runner's own thread, and may block it
  /// to read the log.
  ///
  /// - Returns: for each work, in their order, why it was not done; nil where it was, or was before.
  func perform(
    _ works: [DueWork], sendingTo sink: any CommandSink
  ) async -> [ServiceError?]
}

/// A step of which each work is one command.
public protocol TimerStep: ProcessStep {
  func command(for work: DueWork) -> ServiceCommand
}

extension TimerStep {
  public func perform(
    _ works: [DueWork], sendingTo sink: any CommandSink
  ) async -> [ServiceError?] {
    await sink.carryOut(works.map(command)).map(\.refusal)
  }
}

extension Result where Failure == ServiceError {
  /// Why a command was refused; nil where it was not.
  public var refusal: ServiceError? {
    if case .failure(let error) = self { error } else { nil }
  }
}
