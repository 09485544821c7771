internal import Domain

/// The statements that change a mail's labels, until when it sleeps, and which threads are muted.
///
/// Such events are few beside those that mark mails: they are written at once.
final class TriageStatements {
  private let findLabels: SQLiteStatement
  private let setLabels: SQLiteStatement
  private let addLabel: SQLiteStatement
  private let removeLabel: SQLiteStatement
  private let setUntil: SQLiteStatement
  private let mute: SQLiteStatement
  private let unmute: SQLiteStatement

  init(_ connection: SQLiteConnection) throws(ReadModelError) {
    findLabels = try connection.prepare("SELECT labels FROM mails WHERE id = ?1")
    setLabels = try connection.prepare("UPDATE mails SET labels = ?2 WHERE id = ?1")
    addLabel = try connection.prepare(
      "INSERT OR IGNORE INTO labeled (mailbox, label, mail) VALUES (?1, ?2, ?3)")
    removeLabel = try connection.prepare(
      "DELETE FROM labeled WHERE mailbox = ?1 AND label = ?2 AND mail = ?3")
    setUntil = try connection.prepare("UPDATE mails SET until = ?2 WHERE id = ?1")
    mute = try connection.prepare("INSERT OR IGNORE INTO muted (thread) VALUES (?1)")
    unmute = try connection.prepare("DELETE FROM muted WHERE thread = ?1")
  }

  /// In order, as the row has them; no label has a space in it.
  static func text(_ labels: [String]) -> String? {
    labels.isEmpty ? nil : labels.joined(separator: " ")
  }

  func labels(of id: Int) throws(ReadModelError) -> [String] {
    findLabels.bind(1, id)
    defer { findLabels.reset() }
    guard try findLabels.step() else { return [] }
    return findLabels.optionalText(0)?.split(separator: " ").map(String.init) ?? []
  }

  /// Makes the mail be found by a label, or not.
  func index(_ id: Int, _ label: String, _ isSet: Bool, in mailbox: Int) throws(ReadModelError) {
    let statement = isSet ? addLabel : removeLabel
    statement.bind(1, mailbox)
    statement.bind(2, label)
    statement.bind(3, id)
    try statement.run()
  }

  /// Sets or clears a label of a mail that is there.
  func set(
    _ id: Int, _ label: String, _ isSet: Bool, in mailbox: Int
  ) throws(ReadModelError) {
    var labels = try labels(of: id)
    guard labels.contains(label) != isSet else { return }
    if isSet {
      // As bytes: labels are ASCII.
      labels.insert(label, at: labels.firstIndex { $0 > label } ?? labels.endIndex)
    } else {
      labels.removeAll { $0 == label }
    }
    setLabels.bind(1, id)
    setLabels.bind(2, Self.text(labels))
    try setLabels.run()
    try index(id, label, isSet, in: mailbox)
  }

  func set(_ id: Int, until time: Int?) throws(ReadModelError) {
    setUntil.bind(1, id)
    setUntil.bind(2, time)
    try setUntil.run()
  }

  func set(_ thread: Int, muted isMuted: Bool) throws(ReadModelError) {
    let statement = isMuted ? mute : unmute
    statement.bind(1, thread)
    try statement.run()
  }
}
