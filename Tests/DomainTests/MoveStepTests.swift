import ActorRuntime
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// Mailboxes that carry commands out, with a log, and that can be killed between two commands.
private final class MailboxService: CommandSink {
  struct State {
    var mailboxes: [StreamID: Mailbox] = [:]
    /// What was answered, by stream and id; forgotten now and then, as the log forgets.
    var answers: [String: (content: String, receipt: CommandReceipt)] = [:]
    /// Commands until nothing is answered any more.
    var commandsLeft = Int.max
    var unreadable: Set<StreamID> = []
  }

  let store = InMemoryEventStore()
  private let state = Lock(State())

  func change<Value>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

  func carryOut(_ commands: [ServiceCommand]) async -> [Result<CommandReceipt, ServiceError>] {
    commands.map { command in
      state.withLock { state in
        Result { () throws(ServiceError) in try carryOut(command, &state) }
      }
    }
  }

  private func carryOut(
    _ command: ServiceCommand, _ state: inout State
  ) throws(ServiceError) -> CommandReceipt {
    guard state.commandsLeft > 0, !state.unreadable.contains(command.stream) else {
      throw ServiceError(.unavailable, "nobody is there")
    }
    state.commandsLeft -= 1
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    let content = command.name + String(decoding: command.data, as: UTF8.self)
    let key = "\(command.stream) \(command.id)"
    if let known = state.answers[key] {
      guard known.content == content else { throw ServiceError(.idReused, "other content") }
      return known.receipt
    }
    guard let data = try? parser.parse(command.data) else {
      throw ServiceError(.malformed, "no JSON")
    }
    var mailbox = state.mailboxes[command.stream, default: Mailbox()]
    let decision = try mailbox.decide(
      try MailboxCommand(name: command.name, data: data),
      in: DecisionContext(
        time: Timestamp(microseconds: 0), command: command.id, stream: command.stream))
    mailbox.apply(decision, of: command.id)
    state.mailboxes[command.stream] = mailbox
    append(decision.events, to: command.stream)
    var writer = JSONWriter()
    decision.outcome.write(to: &writer)
    let receipt = CommandReceipt(
      stream: command.stream, revision: Revision(1), position: store.head,
      eventCount: decision.events.count, outcome: writer.bytes)
    if !decision.events.isEmpty { state.answers[key] = (content, receipt) }
    return receipt
  }

  private func append(_ events: [MailboxEvent], to stream: StreamID) {
    guard !events.isEmpty else { return }
    var batch = AppendBatch(time: Timestamp(microseconds: 0))
    batch.begin(stream, expecting: .any)
    for event in events {
      batch.add(
        event.type, schema: event.schema, data: { event.writeData(to: &$0) },
        meta: {
          $0.beginObject()
          $0.endObject()
        })
    }
    store.append(batch) { _ in }
  }

  /// A client's command; refused ones do nothing.
  func send(_ name: String, _ data: JSON, to stream: StreamID, _ number: Int) async {
    _ = await carryOut([
      ServiceCommand(
        id: CommandID("~client-\(number)")!, stream: stream, name: name, data: data.bytes,
        cause: .start)
    ])
  }

  /// The moves under way, as the agenda has them.
  func agenda() throws -> [DueWork] {
    var works: [AgendaExclusions.Work: DueWork] = [:]
    var open: [String: AgendaExclusions.Work] = [:]
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    for event in try store.read(after: .start, limit: ReadLimit(events: 1_000_000)) {
      let decoded = try MailboxEvent(
        type: event.type, schema: event.schema, data: try parser.parse(event.data))
      switch decoded {
      case .moveRequested(let mail, let target):
        let work = DueWork(
          kind: .move, stream: event.stream, subject: mail.rawValue, due: event.time,
          cause: event.position, revision: event.revision, target: target)
        let key = AgendaExclusions.Work(kind: .move, cause: event.position)
        works[key] = work
        open["\(event.stream) \(mail)"] = key
      case .moved(let mail, _, _), .moveFailed(let mail, _, _):
        if let key = open.removeValue(forKey: "\(event.stream) \(mail)") { works[key] = nil }
      default: break
      }
    }
    return works.values.sorted { $0.cause < $1.cause }
  }

  /// The subjects of the mails that are there, by mailbox, by what was delivered.
  func subjects() throws -> [StreamID: [String]] {
    var subjects: [StreamID: [String]] = [:]
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    for event in try store.read(after: .start, limit: ReadLimit(events: 1_000_000)) {
      let decoded = try MailboxEvent(
        type: event.type, schema: event.schema, data: try parser.parse(event.data))
      guard case .delivered(let mail, let content) = decoded,
        change({ $0.mailboxes[event.stream]?.state(mail) }) != nil
      else { continue }
      subjects[event.stream, default: []].append(content.subject)
    }
    return subjects
  }
}

struct MoveStepTests {
  private let names = ["mailbox/a", "mailbox/b", "mailbox/c"].compactMap { try? StreamID($0) }
  private let service = MailboxService()

  private func deliver(_ subject: String, to stream: StreamID, _ number: Int) async {
    await service.send(
      "deliver",
      [
        "from": "f", "subject": .string(subject), "message": "m",
        "messageID": .string("<\(subject)>"), "to": ["x", "y"],
      ], to: stream, number)
  }

  private func perform(_ limit: Int = 1000) async throws -> [ServiceError?] {
    await MoveStep(store: service.store).perform(
      Array(try service.agenda().prefix(limit)), sendingTo: service)
  }

  @Test func takesAllThatAMailIsAlong() async throws {
    await deliver("one", to: names[0], 1)
    await service.send("flag", ["mail": 1], to: names[0], 2)
    await service.send("label", ["mail": 1, "label": "Work"], to: names[0], 3)
    await service.send("pin", ["mail": 1], to: names[0], 4)
    await service.send("move", ["mail": 1, "to": "mailbox/b"], to: names[0], 5)
    #expect(try await perform() == [nil])
    let events = try service.store.read(names[1], after: .none, limit: ReadLimit(events: 10))
    #expect(
      events.map { String(decoding: $0.data, as: UTF8.self) } == [
        #"{"mail":1,"from":"f","subject":"one","message":"m","to":["x","y"],"messageID":"<one>","#
          + #""flagged":true,"pinned":true,"labels":["work"],"#
          + #""origin":{"stream":"mailbox/a","mail":1}}"#
      ])
    #expect(try service.agenda().isEmpty)
    #expect(try service.subjects() == [names[1]: ["one"]])
  }

  @Test func whatTheTargetRefusesStays() async throws {
    await deliver("one", to: names[0], 1)
    // A mailbox that has as many labels as it can have.
    for number in 0..<1000 {
      await deliver("l\(number)", to: names[1], 10 + number)
      await service.send(
        "label", ["mail": .integer(number + 1), "label": .string("l\(number)")], to: names[1],
        5000 + number)
    }
    await service.send("label", ["mail": 1, "label": "new"], to: names[0], 2)
    await service.send("move", ["mail": 1, "to": "mailbox/b"], to: names[0], 3)
    #expect(try await perform() == [nil])
    let last = try service.store.read(before: GlobalPosition(.max), limit: ReadLimit(events: 1))[0]
    #expect(last.type == "mail.move-failed")
    #expect(try service.agenda().isEmpty)
    #expect(service.change { $0.mailboxes[names[0]]?.moves.leaving.isEmpty } == true)
  }

  @Test func whatCannotBeReadIsTriedAgain() async throws {
    await deliver("one", to: names[0], 1)
    await service.send("move", ["mail": 1, "to": "mailbox/b"], to: names[0], 2)
    service.change { $0.unreadable = [names[1]] }
    #expect(try await perform().map { $0?.code } == [.unavailable])
    service.change { $0.unreadable = [] }
    service.store.failReads(with: .failed(reason: "broken"))
    let works = [
      DueWork(
        kind: .move, stream: names[0], subject: 1, due: Timestamp(microseconds: 0),
        cause: GlobalPosition(2), revision: Revision(2), target: names[1])
    ]
    let errors = await MoveStep(store: service.store).perform(works, sendingTo: service)
    #expect(errors.map { $0?.code } == [.unavailable])
    service.store.failReads(with: nil)
    #expect(try await perform() == [nil])
    #expect(try service.subjects() == [names[1]: ["one"]])
  }

  @Test(
    "every mail is in one mailbox, killed wherever it may be",
    arguments: SeededRandom.seeds(20))
  func everyMailIsInOneMailboxWhereverItIsKilled(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    var number = 0
    var delivered: Set<String> = []
    for _ in 0..<40 {
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        number += 1
        let stream = names.randomElement(using: &random)!
        switch Int.random(in: 0...3, using: &random) {
        case 0:
          delivered.insert("m\(number)")
          await deliver("m\(number)", to: stream, number)
        case 1:
          await service.send(
            "flag", ["mail": .integer(.random(in: 1...20, using: &random))], to: stream, number)
        default:
          let target = names.randomElement(using: &random)!
          await service.send(
            "move",
            [
              "mails": .array((0..<3).map { _ in .integer(.random(in: 1...20, using: &random)) }),
              "to": .string(target.description),
            ], to: stream, number)
          await service.send(
            "move",
            [
              "mail": .integer(.random(in: 1...20, using: &random)),
              "to": .string(target.description),
            ], to: stream, number + 1_000_000)
        }
      }
      // The log forgets ids in time; then it is for the rules alone to do nothing twice.
      if random.chance(oneIn: 3) { service.change { $0.answers = [:] } }
      let commands = Int.random(in: 0...12, using: &random)
      service.change { $0.commandsLeft = commands }
      _ = try await perform()
      service.change { $0.commandsLeft = .max }
    }
    while case let errors = try await perform(), !errors.isEmpty {
      #expect(errors.allSatisfy { $0 == nil }, "seed \(seed)")
      if errors.contains(where: { $0 != nil }) { break }
    }
    let there = try service.subjects().values.joined().sorted()
    #expect(there == delivered.sorted(), "seed \(seed)")
    for name in names {
      guard let mailbox = service.change({ $0.mailboxes[name] }) else { continue }
      #expect(try Mailbox(snapshotBytes: mailbox.snapshotBytes) == mailbox, "seed \(seed)")
    }
  }
}
