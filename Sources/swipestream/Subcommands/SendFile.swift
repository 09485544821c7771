internal import ActorRuntime
internal import EventSourcing
internal import FastJSON
internal import SwipestreamClient

/// `send --file`: commands pipelined, receipts in the order of the input.
struct SendFile {
  /// Commands under way at once.
  private static let window = 5000
  private static let lineLimit = 1 << 20

  fileprivate struct State {
    /// Receipts that came before their turn.
    var ready: [Int: [UInt8]] = [:]
    var underWay = 0
    /// How many commands the input has, once it is read to its end.
    var total: Int?
    var status = ExitStatus.done
    /// Set once a command found no answer: what follows would only find none either.
    var silence: ClientError?
  }

  private let session: ClientSession
  private let path: String
  private let state = Monitor(State())

  init(_ session: ClientSession, path: String) {
    self.session = session
    self.path = path
  }

  func run() throws(Failure) -> ExitStatus {
    var reader = try LineReader(path: path)
    // A thread of its own: a slow input must not hold back receipts, nor a slow reader of them
    // the connection.
    let printer = NamedThread("receipts") { printReceipts() }
    var read = 0
    var failure: Failure?
    while let line = next(&reader, &failure) {
      if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { continue }
      waitForRoom()
      if state.change({ $0.silence != nil }) { break }
      submit(line, index: read)
      read += 1
    }
    state.change { $0.total = read }
    printer.join()
    Output.flush()
    if let failure { throw failure }
    if let silence = state.change({ $0.silence }) { throw Failure(silence) }
    return state.change { $0.status }
  }

  /// An input that cannot be read further still waits for the receipts of what was sent.
  private func next(_ reader: inout LineReader, _ failure: inout Failure?) -> [UInt8]? {
    do throws(Failure) {
      return try reader.next()
    } catch {
      failure = error
      return nil
    }
  }

  private func printReceipts() {
    var printed = 0
    while true {
      let next = printed
      let lines = state.wait { state in
        state.ready[next] != nil || state.total == next ? state.takeReady(from: next) : nil
      }
      guard let lines, !lines.isEmpty else { return }
      for line in lines { Output.print(line) }
      Output.flush()
      printed += lines.count
    }
  }

  private func waitForRoom() {
    _ = state.wait { $0.underWay < Self.window || $0.silence != nil ? true : nil }
  }

  private func submit(_ line: [UInt8], index: Int) {
    do throws(ServiceError) {
      let (content, id) = try Self.request(line, client: session.client)
      state.change { $0.underWay += 1 }
      session.client.submit(content, id: id) { [state] result in
        state.change { state in
          state.underWay -= 1
          Self.settle(result, index: index, id: id, &state)
        }
      }
    } catch {
      state.change { state in
        state.ready[index] = Self.refusal(error.code.rawValue, error.message, id: nil)
        state.status = .refused
      }
    }
  }

  private static func settle(
    _ result: Result<[UInt8], ClientError>, index: Int, id: String, _ state: inout State
  ) {
    switch result {
    case .success(let receipt):
      state.ready[index] = receipt
      if (try? JSON(parsing: receipt))?["ok"]?.bool != true, state.status == .done {
        state.status = .refused
      }
    case .failure(let error):
      state.ready[index] = refusal("timeout", error.description, id: id)
      state.status = .refused
      if case .noAnswer = error, state.silence == nil { state.silence = error }
    }
  }

  /// The frame for a line, with what may be left out filled in.
  private static func request(
    _ line: [UInt8], client: ServiceClient
  ) throws(ServiceError) -> (content: [UInt8], id: String) {
    guard line.count <= lineLimit else {
      throw ServiceError(.tooLarge, "a command has at most \(lineLimit) bytes")
    }
    let json: JSON
    do throws(JSONSyntaxError) {
      json = try JSON(parsing: line)
    } catch {
      throw ServiceError(.malformed, "the line is not JSON: \(error)")
    }
    guard var members = json.members else {
      throw ServiceError(.malformed, "the line is no JSON object")
    }
    if json["op"] == nil { members.insert(.init("op", "command"), at: 0) }
    guard let given = json["id"] else {
      let id = client.newID()
      members.append(.init("id", .string(id)))
      return (JSON.object(members).bytes, id)
    }
    guard let id = given.string else {
      throw ServiceError(.invalid, "'id' must be a string")
    }
    return (JSON.object(members).bytes, id)
  }

  private static func refusal(_ code: String, _ message: String, id: String?) -> [UInt8] {
    let error: JSON = ["code": .string(code), "message": .string(message)]
    let answer: JSON = ["id": id.map { .string($0) } ?? .null, "ok": false, "error": error]
    return answer.bytes
  }
}

extension SendFile.State {
  /// The receipts from `index` on that are there without a gap.
  fileprivate mutating func takeReady(from index: Int) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    while let line = ready.removeValue(forKey: index + lines.count) { lines.append(line) }
    return lines
  }
}
