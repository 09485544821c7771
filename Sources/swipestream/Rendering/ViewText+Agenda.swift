internal import FastJSON

extension ViewText {
  /// What is due in a mailbox, a line for each.
  static func printAgenda(_ view: JSON) {
    let retention =
      view["retention"]?.string.map { "the trash is kept for \($0)" } ?? "the trash is kept"
    Output.print(
      TerminalText.bold(view["stream"]?.string ?? "")
        + "  \(retention)  (position \(view["position"]?.integer ?? 0))")
    for row in view["rows"]?.array ?? [] {
      let target = row["to"]?.string.map { " to \($0)" } ?? ""
      Output.print(
        "\(row["due"]?.string ?? "")  " + TerminalText.column(row["work"]?.string ?? "", width: 8)
          + "mail \(row["mail"]?.integer ?? 0)\(target)")
    }
  }
}
