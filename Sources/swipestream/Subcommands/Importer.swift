internal import ActorRuntime
internal import EventSourcing
internal import FastJSON
internal import Glibc
internal import MailFiles
internal import SwipestreamClient

/// Sends mails as `deliver` commands, pipelined, and counts what became of them.
struct Importer {
  private static let window = 500
  /// How often a command is sent again that found no answer, or an overloaded service.
  private static let tries = 5

  struct Counts {
    var imported = 0
    var alreadyThere = 0
    var skipped: [(origin: String, reason: String)] = []
    var refused: [(origin: String, reason: String)] = []
    var underWay = 0
    var isGone: String?
  }

  private let session: ClientSession
  private let stream: StreamID
  private let bytesTotal: Int
  private let report: ReportFile?
  private let counts = Monitor(Counts())
  private var bytesBefore = 0
  private var lastProgress = 0

  init(
    session: ClientSession, stream: StreamID, bytesTotal: Int, report: ReportFile?
  ) {
    self.session = session
    self.stream = stream
    self.bytesTotal = bytesTotal
    self.report = report
  }

  mutating func importAll(_ reader: MailReader) throws(Failure) {
    var mails = reader.makeIterator()
    while let source = mails.next() {
      switch source {
      case .message(let mail, let origin): try send(mail, origin)
      case .skipped(let origin, let reason):
        counts.change { $0.skipped.append((origin, reason)) }
        report?.add(origin, "skipped", ["reason": .string(reason)])
      }
      showProgress(bytesBefore + mails.progress.bytesDone)
    }
    bytesBefore += reader.bytesTotal
  }

  private func send(_ mail: MailMessage, _ origin: String) throws(Failure) {
    _ = counts.wait { $0.underWay < Self.window || $0.isGone != nil ? true : nil }
    if let reason = counts.change({ $0.isGone }) {
      Output.endProgress()
      throw Failure(.noService, "\(reason); run the import again to finish it")
    }
    counts.change { $0.underWay += 1 }
    Self.submit(
      DeliverCommand(mail, into: stream), origin, triesLeft: Self.tries, session, counts, report)
  }

  /// The command's id makes sending it again harmless.
  private static func submit(
    _ command: DeliverCommand, _ origin: String, triesLeft: Int, _ session: ClientSession,
    _ counts: Monitor<Counts>, _ report: ReportFile?
  ) {
    session.client.submit(command.content, id: command.id) { result in
      let answer = (try? result.get()).flatMap { try? JSON(parsing: $0) }
      let code = answer?["error"]?["code"]?.string
      if triesLeft > 1, answer == nil || code == "overloaded" {
        Task {
          if code != nil { try? await Task.sleep(nanoseconds: 200_000_000) }
          submit(command, origin, triesLeft: triesLeft - 1, session, counts, report)
        }
        return
      }
      counts.change { settle(answer, result, origin, &$0, report) }
    }
  }

  private static func settle(
    _ answer: JSON?, _ result: Result<[UInt8], ClientError>, _ origin: String,
    _ counts: inout Counts, _ report: ReportFile?
  ) {
    counts.underWay -= 1
    guard let answer else {
      if case .failure(let error) = result { counts.isGone = error.description }
      return
    }
    guard answer["ok"]?.bool == true else {
      let reason = answer["error"]?["message"]?.string ?? "no reason given"
      counts.refused.append((origin, reason))
      report?.add(origin, "refused", ["reason": .string(reason)])
      return
    }
    let isNew = answer["duplicate"]?.bool != true && (answer["events"]?.integer ?? 0) > 0
    if isNew { counts.imported += 1 } else { counts.alreadyThere += 1 }
    report?.add(
      origin, isNew ? "imported" : "already there", ["mail": answer["outcome"]?["mail"] ?? .null])
  }

  private mutating func showProgress(_ bytes: Int) {
    let now = MonotonicTime.milliseconds
    guard Output.errorIsTerminal, now - lastProgress > 100 else { return }
    lastProgress = now
    let percent = bytesTotal > 0 ? min(100, bytes * 100 / bytesTotal) : 100
    let (imported, there) = counts.change { ($0.imported, $0.alreadyThere) }
    Output.progress("\(percent)%  \(imported) imported, \(there) already there")
  }

  /// Waits for the last answers and says what became of everything.
  func finish() throws(Failure) -> ExitStatus {
    _ = counts.wait { $0.underWay == 0 ? true : nil }
    Output.endProgress()
    let status = try counts.change { $0 }.summarize()
    try report?.close()
    return status
  }
}

extension Importer.Counts {
  /// Reasons listed at the end; `--report` has them all.
  private static let listLimit = 20

  fileprivate func summarize() throws(Failure) -> ExitStatus {
    if let isGone { throw Failure(.noService, "\(isGone); run the import again to finish it") }
    Output.print(
      "\(imported) imported, \(alreadyThere) already there, \(skipped.count) skipped"
        + (refused.isEmpty ? "" : ", \(refused.count) refused"))
    list(skipped, "skipped")
    list(refused, "refused")
    return refused.isEmpty ? .done : .refused
  }

  private func list(_ entries: [(origin: String, reason: String)], _ what: String) {
    for entry in entries.prefix(Self.listLimit) {
      Output.note(
        "\(what): \(TerminalText.clean(entry.origin)): \(TerminalText.clean(entry.reason))")
    }
    if entries.count > Self.listLimit {
      Output.note("… and \(entries.count - Self.listLimit) more \(what); --report FILE lists all")
    }
  }
}

/// `--report`: a line of JSON per mail.
final class ReportFile: Sendable {
  private struct State {
    let descriptor: Int32
    /// Why the first line that was lost was.
    var problem: String?
  }

  private let path: String
  private let state: Lock<State>

  /// - Throws: where the file cannot be written, or is one of the `inputs`.
  init(_ path: String, inputs: [String]) throws(Failure) {
    guard !inputs.contains(where: { Self.isSame($0, path) }) else {
      throw Failure(.usage, "--report would overwrite the input \(path)")
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure(.refused, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    self.path = path
    state = Lock(State(descriptor: descriptor))
  }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    var first = stat()
    var second = stat()
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  func add(_ origin: String, _ result: String, _ more: JSON) {
    let line = JSON.object(
      [.init("origin", .string(origin)), .init("result", .string(result))] + (more.members ?? []))
    let bytes = line.bytes + [UInt8(ascii: "\n")]
    state.withLock { state in
      let count = bytes.withUnsafeBytes { write(state.descriptor, $0.baseAddress, $0.count) }
      if count != bytes.count, state.problem == nil {
        state.problem = count < 0 ? String(cString: strerror(errno)) : "no space left"
      }
    }
  }

  /// - Throws: where the report is not complete.
  func close() throws(Failure) {
    let problem = state.withLock { state in
      _ = Glibc.close(state.descriptor)
      return state.problem
    }
    if let problem { throw Failure(.refused, "the report \(path) is not complete: \(problem)") }
  }
}
