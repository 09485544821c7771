internal import FastJSON

/// Says how the service is.
enum Status: Subcommand {
  static let name = "status"
  static let summary = "say how the service is: head, log, views, clients"
  static let help = """
    usage: swipestream status [--json]

    \(ClientSession.optionHelp)
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(arguments, .client(flags: ["--json"]))
    _ = try arguments.exactly()
    let content = try await ClientSession(arguments).request("status").answerMembers
    if arguments.has("--json") {
      Output.print(JSON.object(content).bytes)
    } else {
      for member in content { print(member) }
    }
    return .done
  }

  private static func print(_ member: JSON.Member) {
    switch member.value {
    case .null: return
    case .array(let views):
      for view in views {
        line(
          "view \(view["name"]?.string ?? "")",
          "\(view["state"]?.string ?? ""), position \(view["position"]?.integer ?? 0)"
            + ((view["parked"]?.integer ?? 0) > 0 ? ", \(view["parked"]?.integer ?? 0) parked" : "")
            + (view["reason"]?.string.map { ": " + TerminalText.clean($0) } ?? "")
        )
      }
    case .object where member.key == "scrub": printScrub(member.value)
    case .object(let counts):
      line(
        member.key,
        counts.compactMap { count in
          if let reason = count.value.string { return TerminalText.clean(reason) }
          return count.value.integer.map { "\($0) \(count.key)" }
        }.joined(separator: ", "))
    case .bool(let value): line(member.key, value ? "yes" : "no")
    case .string(let value): line(member.key, TerminalText.clean(value))
    default: line(member.key, member.value.text)
    }
  }

  private static func printScrub(_ scrub: JSON) {
    line(
      "scrub",
      "\(scrub["state"]?.string ?? ""), position \(scrub["position"]?.integer ?? 0), "
        + "\(scrub["passes"]?.integer ?? 0) passes"
        + (scrub["lastCompleted"]?.string.map { ", the last ended " + $0 } ?? ""))
    for damage in scrub["damage"]?.array ?? [] {
      let positions = damage["positions"]
      line(
        "DAMAGED",
        "\(damage["file"]?.string ?? ""), offset \(damage["offset"]?.integer ?? 0)"
          + (positions?["first"]?.integer.map {
            ", positions \($0) to \(positions?["last"]?.integer ?? $0)"
          } ?? "") + ": " + TerminalText.clean(damage["reason"]?.string ?? ""))
    }
  }

  private static func line(_ name: String, _ value: String) {
    Output.print(TerminalText.column(name, width: 16) + value)
  }
}
