internal import Domain
internal import EventSourcing
internal import FastJSON
internal import Wire

extension FuzzTarget {
  /// One frame from a client: JSON, requests, and the commands in them.
  static let request = FuzzTarget(name: "request", seeds: requestSeeds) { bytes in
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    guard let value = try? parser.parse(bytes) else { return }
    Requests.checkJSON(value)
    if let op = value["op"]?.string { _ = try? Request(op: op, value) }
    guard let command = try? IncomingCommand(RequestMembers(value), token: 0),
      let data = try? command.data.get()
    else { return }
    let mailbox = try? MailboxCommand(name: command.name, data: data)
    let list = try? ListCommand(name: command.name, data: data)
    // From here on the parser's values are gone.
    Requests.check(mailbox, parser)
    Requests.check(list, parser)
  }

  private static func requestSeeds() -> [[UInt8]] { SeedTexts.requests.map { Array($0.utf8) } }
}

enum Requests {
  /// What was parsed is written as JSON with the same meaning, by both writers.
  static func checkJSON(_ value: JSONValue) {
    let tree = JSON(value)
    var writer = JSONWriter()
    writer.value(value)
    for bytes in [tree.bytes, writer.bytes] {
      guard let again = try? JSON(parsing: bytes) else {
        return require(false, "what is written is JSON")
      }
      require(again == tree, "it means the same")
      require(again.bytes == tree.bytes, "it is written the same")
    }
  }

  /// A command's canonical form is the form of what it decodes to.
  static func check<Command: CommandCodable>(_ command: Command?, _ parser: JSONParser) {
    guard let command else { return }
    var writer = JSONWriter()
    command.writeData(to: &writer)
    guard let data = try? parser.parse(writer.bytes),
      let again = try? Command(name: command.name, data: data)
    else { return require(false, "a command in its canonical form is that command") }
    var second = JSONWriter()
    again.writeData(to: &second)
    require(writer.bytes == second.bytes, "there is one canonical form")
  }
}
