internal import ActorRuntime
internal import EventSourcing
internal import FastJSON
internal import SwipestreamClient

/// Sends a sync's commands and waits for their answers, on the sync's own thread.
struct SyncSender {
  struct Command: Sendable {
    let id: String
    let content: [UInt8]
  }

  enum Answer {
    case done(JSON)
    /// Nothing was written.
    case refused(ServiceError)
    /// Not known: the sync was asked to stop.
    case abandoned
  }

  typealias Result = Swift.Result<[UInt8], ClientError>

  /// How long answers are waited for that are under way when the sync is asked to stop.
  private static let stopMilliseconds = 2000
  private static let overloadMilliseconds = 200

  let client: ServiceClient
  let news: SyncMonitor
  let notes: SyncNotes
  /// Whether an absent service is waited for as long as it takes.
  let isPatient: Bool

  /// Sends commands, all at once, and those again that found no answer. They keep their ids, so
  /// each is carried out once.
  ///
  /// - Returns: the answers, in the commands' order.
  func send(_ commands: [Command]) throws(Failure) -> [Answer] {
    var answers: [Int: Answer] = [:]
    while answers.count < commands.count {
      let open = commands.indices.filter { answers[$0] == nil }
      let results = submit(open.map { ($0, commands[$0]) })
      var isOverloaded = false
      for (index, result) in results {
        switch try take(result) {
        case .refused(let error) where error.code == .overloaded: isOverloaded = true
        case let answer: answers[index] = answer
        }
      }
      if news.isStopping { break }
      if isOverloaded { news.sleep(milliseconds: Self.overloadMilliseconds) }
    }
    return commands.indices.map { answers[$0] ?? .abandoned }
  }

  private func submit(_ commands: [(Int, Command)]) -> [Int: Result] {
    let results = Monitor<[Int: Result]>([:])
    for (index, command) in commands {
      client.submit(command.content, id: command.id) { result in
        results.change { $0[index] = result }
      }
    }
    var stopAt: Int?
    while true {
      let all = results.wait(milliseconds: 100) { $0.count == commands.count ? $0 : nil }
      if let all { return all }
      guard news.isStopping else { continue }
      let now = MonotonicTime.milliseconds
      stopAt = stopAt ?? now + Self.stopMilliseconds
      if let stopAt, now >= stopAt { return results.change { $0 } }
    }
  }

  /// Nil where the command is to be sent again.
  private func take(_ result: Result) throws(Failure) -> Answer? {
    let content: [UInt8]
    do throws(ClientError) {
      content = try result.get()
    } catch {
      guard isPatient, case .noAnswer = error else { throw Failure(error) }
      notes.once("service", "\(error); waiting for it")
      return nil
    }
    notes.forget("service")
    guard let answer = try? JSON(parsing: content) else {
      throw Failure(.refused, "the service answered something that is not JSON")
    }
    if answer["ok"]?.bool == true { return .done(answer) }
    return .refused(ServiceError(reply: answer["error"] ?? .null))
  }
}

/// Warnings on standard error that are given once, until what they warn of is over.
final class SyncNotes {
  private var given: [String: String] = [:]

  /// - Parameter subject: what it is about; the same text again on the same subject is left out.
  func once(_ subject: String, _ text: String) {
    guard given.updateValue(text, forKey: subject) != text else { return }
    Output.complain(TerminalText.clean(text))
  }

  func forget(_ subject: String) { given[subject] = nil }
}
