internal import FastJSON

/// Views as text for people.
enum ViewText {
  static func print(_ view: JSON) {
    if view["rows"] == nil {
      printList(view)
    } else if view["counts"] == nil {
      printAgenda(view)
    } else {
      printMailbox(view)
    }
    if view.nextCursor != nil { Output.print("… and more") }
  }

  // MARK: Mailbox

  private static func printMailbox(_ view: JSON) {
    let counts = view["counts"]
    var parts = [
      count(counts?["total"], "mail"), "\(number(counts?["unread"])) unread",
      "\(number(counts?["flagged"])) flagged",
    ]
    for (key, name) in [("archived", "archived"), ("snoozed", "snoozed")] {
      if let count = counts?[key]?.integer, count > 0 { parts.append("\(count) \(name)") }
    }
    parts.append("\(number(counts?["trash"])) in the trash")
    printTitle(view, parts.joined(separator: ", "))
    let rows = view["rows"]?.array ?? []
    let width = rows.map { number($0["mail"]).count }.max() ?? 1
    for row in rows { printMail(row, width) }
  }

  private static func printMail(_ row: JSON, _ width: Int) {
    let date = (row["date"]?.string).map { $0.prefix(10) + " " + $0.dropFirst(11).prefix(5) }
    let from = TerminalText.column(row["from"]?.string ?? "", width: 18)
    let line =
      indicator(row) + " " + TerminalText.right(number(row["mail"]), width) + "  "
      + TerminalText.column(date.map(String.init) ?? "", width: 16) + "  " + from + "  "
      + (row["pinned"]?.bool == true ? "▲ " : "")
      + TerminalText.clean(row["subject"]?.string ?? "")
    Output.print(([line] + remarks(row)).joined(separator: "  "))
  }

  /// What there is to say of a mail behind its subject.
  private static func remarks(_ row: JSON) -> [String] {
    var remarks = (row["labels"]?.array ?? []).compactMap(\.string).map { "#" + $0 }
    if row["muted"]?.bool == true { remarks.append("(muted)") }
    switch row["in"]?.string {
    case "snoozed": remarks.append("(snoozed until \(row["until"]?.string ?? "later"))")
    case "archive": remarks.append("(archived)")
    case "trash": remarks.append("(in the trash)")
    default: break
    }
    return remarks
  }

  private static func indicator(_ row: JSON) -> String {
    switch (row["read"]?.bool ?? false, row["flag"]?.bool ?? false) {
    case (false, true): TerminalText.colored("◉", 208)
    case (true, true): TerminalText.colored("⚑", 208)
    case (false, false): TerminalText.colored("●", 33)
    case (true, false): " "
    }
  }

  // MARK: List

  private static func printList(_ view: JSON) {
    let counts = view["counts"]
    printTitle(
      view, "\(number(counts?["open"])) open, \(number(counts?["completed"])) completed",
      title: view["title"]?.string)
    for section in view["sections"]?.array ?? [] { printSection(section) }
  }

  private static func printSection(_ section: JSON) {
    if let header = section["header"]?.string {
      Output.print(TerminalText.bold(TerminalText.clean(header)))
    }
    let items = section["items"]?.array ?? []
    let width = items.map { number($0["item"]).count }.max() ?? 1
    for item in items {
      let mark = item["completed"]?.bool == true ? "☑" : "☐"
      Output.print(
        "\(mark) \(TerminalText.right(number(item["item"]), width))  "
          + TerminalText.clean(item["text"]?.string ?? "") + facts(of: item))
    }
    if let footer = section["footer"]?.string { Output.print(TerminalText.clean(footer)) }
  }

  /// What an item has besides its text: ` (due 2026-12-01 08:00, daily)`.
  private static func facts(of item: JSON) -> String {
    let due = item["due"]?.string.map { "due \($0.prefix(10)) \($0.dropFirst(11).prefix(5))" }
    let fixed = item["movable"]?.bool == false ? "fixed" : nil
    let facts = [due, item["repeat"]?.string.map(TerminalText.clean), fixed].compactMap(\.self)
    return facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))"
  }

  // MARK: Parts

  private static func printTitle(_ view: JSON, _ facts: String, title: String? = nil) {
    let name = view["stream"]?.string ?? ""
    let heading = title.map { "\(name) — \(TerminalText.clean($0))" } ?? name
    Output.print(
      TerminalText.bold(heading)
        + "  \(facts)  (revision \(number(view["revision"])), position \(number(view["position"])))"
    )
  }

  private static func number(_ value: JSON?) -> String { value?.integer.map(String.init) ?? "?" }

  private static func count(_ value: JSON?, _ noun: String) -> String {
    number(value) + " " + noun + (value?.integer == 1 ? "" : "s")
  }
}
