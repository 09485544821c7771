public import EventSourcing
internal import FastJSON

/// The process manager that moves mails between mailboxes.
///
/// For each mail: the target takes it in, then the source lets go of it; where the target refuses it,
/// the source keeps it. A crash between the two leaves the move in the agenda: it is begun again, the
/// target says which mail it became, and the source lets go.
public struct MoveStep: ProcessStep {
  public let kind = WorkKind.move
  /// So much content is in memory at a time, or one mail's.
  private static let bytesAtOnce = 4 << 20

  private let store: any EventStore

  /// - Parameter store: the log, where the mails' content is read.
  public init(store: any EventStore) { self.store = store }

  public func perform(
    _ works: [DueWork], sendingTo sink: any CommandSink
  ) async -> [ServiceError?] {
    var moves = works.map { MailMove($0) }
    await find(&moves, sink)
    var next = 0
    while next < moves.count {
      let end = read(&moves, from: next)
      await deliver(&moves, next..<end, sink)
      next = end
    }
    await finish(&moves, sink)
    return moves.map(\.error)
  }

  /// Asks the sources for the mails' present states.
  private func find(_ moves: inout [MailMove], _ sink: any CommandSink) async {
    let groups = Dictionary(grouping: moves.indices, by: { moves[$0].work.stream })
      .sorted { $0.value[0] < $1.value[0] }
    let answers = await sink.carryOut(
      groups.map { MoveCommands.showLeaving(of: $0.value.map { moves[$0].work }) })
    for (group, answer) in zip(groups, answers) {
      var leaving: [Int: LeavingMail] = [:]
      do throws(ServiceError) {
        for mail in try MoveCommands.leaving(in: try answer.get()) {
          leaving[mail.mail.rawValue] = mail
        }
      } catch {
        for index in group.value { moves[index].error = error }
        continue
      }
      for index in group.value { moves[index].found(leaving[moves[index].work.subject]) }
    }
  }

  /// Reads content from the log until there is enough for a while.
  ///
  /// - Returns: where the next reading begins.
  private func read(_ moves: inout [MailMove], from start: Int) -> Int {
    var bytes = 0
    var index = start
    let reader = DeliveryReader(store: store)
    while index < moves.count, bytes < Self.bytesAtOnce {
      if let leaving = moves[index].leaving {
        do throws(ServiceError) {
          let content = try reader.content(of: leaving, in: moves[index].work.stream)
          let arrival = leaving.arrival(of: content, from: moves[index].work.stream)
          let data = MoveCommands.data(of: .arrive(arrival))
          bytes += data.count
          moves[index].arrival = data
        } catch {
          moves[index].error = error
        }
      }
      index += 1
    }
    return index
  }

  private func deliver(
    _ moves: inout [MailMove], _ range: Range<Int>, _ sink: any CommandSink
  ) async {
    await deliver(&moves, range.filter { moves[$0].arrival != nil }, name: "arrive", sink)
    // The first try was of other content: the mail is there, and the target tells which it is.
    let reused = range.filter { moves[$0].error?.code == .idReused }
    for index in reused { moves[index].error = nil }
    await deliver(&moves, reused, name: "arrive-again", sink)
    for index in range { moves[index].arrival = nil }
  }

  private func deliver(
    _ moves: inout [MailMove], _ indices: [Int], name: String, _ sink: any CommandSink
  ) async {
    let commands = indices.compactMap { index -> ServiceCommand? in
      guard let target = moves[index].leaving?.target, let data = moves[index].arrival else {
        return nil
      }
      let cause = moves[index].work.cause
      return ServiceCommand(
        id: .ofService(name, cause), stream: target, name: "arrive", data: data, cause: cause)
    }
    for (index, answer) in zip(indices, await sink.carryOut(commands)) {
      moves[index].arrived(answer)
    }
  }

  private func finish(_ moves: inout [MailMove], _ sink: any CommandSink) async {
    let ending = moves.indices.filter { moves[$0].ending != nil }
    let answers = await sink.carryOut(ending.compactMap { moves[$0].ending })
    for (index, answer) in zip(ending, answers) { moves[index].error = answer.refusal }
  }
}

/// One mail's move, as far as it has come.
private struct MailMove {
  let work: DueWork
  private(set) var leaving: LeavingMail?
  /// The data of `arrive`, while it is needed.
  var arrival: [UInt8]?
  /// The command that ends the move at its source.
  private(set) var ending: ServiceCommand?
  var error: ServiceError?

  init(_ work: DueWork) { self.work = work }

  mutating func found(_ leaving: LeavingMail?) {
    guard let leaving, leaving.target == work.target else {
      error = ServiceError(.rejected, "mail \(work.subject) is not being moved there any more")
      return
    }
    self.leaving = leaving
  }

  mutating func arrived(_ answer: Result<CommandReceipt, ServiceError>) {
    guard let leaving else { return }
    switch answer {
    case .success(let receipt):
      guard let there = MoveCommands.mail(in: receipt) else {
        error = ServiceError(.unavailable, "\(leaving.target) does not say which mail it became")
        return
      }
      ending = MoveCommands.end(
        work, "complete-move", .completeMove(leaving.mail, to: leaving.target, as: there))
    case .failure(let error) where error.isFinal:
      ending = MoveCommands.end(
        work, "fail-move", .failMove(leaving.mail, to: leaving.target, reason: error.message))
    case .failure(let error):
      self.error = error
    }
  }
}

extension ServiceError {
  /// Whether the target's rules refuse the mail. All else may pass; and of what cannot be read nobody
  /// can tell whether the mail is there already.
  fileprivate var isFinal: Bool {
    switch code {
    case .rejected, .invalid, .forbidden, .tooLarge, .notFound: true
    default: false
    }
  }
}
