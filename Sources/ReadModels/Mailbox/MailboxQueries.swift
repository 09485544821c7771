internal import Domain

/// The statements that read a mailbox's rows in their order, made when they are first asked for.
///
/// Without a filter they begin anywhere and stop when the page is full, so that a page's cost does not
/// grow with the mailbox, nor with what it does not show. With a filter they sort the mails that have
/// the label or are of the thread.
final class MailboxQueries {
  /// What a statement's text hangs on.
  struct Shape: Hashable {
    var isOfAllBoxes = false
    var hasLabel = false
    var hasThread = false

    init(_ request: PageRequest) {
      isOfAllBoxes = request.box == nil
      hasLabel = request.label != nil
      hasThread = request.thread != nil
    }
  }

  private static let columns = """
    mails.id, sender, subject, message, date, read, flag, mails.key, pinned, labels, mails.thread, \
    grouping, until, \
    EXISTS (SELECT 1 FROM muted WHERE muted.thread = coalesce(mails.thread, mails.id))
    """

  private let connection: SQLiteConnection
  private var statements: [Shape: SQLiteStatement] = [:]

  init(_ connection: SQLiteConnection) { self.connection = connection }

  /// A statement with the parameters mailbox, group (of the inbox, where it is of all boxes), key,
  /// limit, label and thread.
  func statement(_ shape: Shape) throws(ReadModelError) -> SQLiteStatement {
    if let known = statements[shape] { return known }
    let statement = try connection.prepare(Self.text(shape))
    statements[shape] = statement
    return statement
  }

  static func text(_ shape: Shape) -> String {
    let steps = shape.isOfAllBoxes ? [0, 2, 4, 6] : [0]
    if shape.hasLabel || shape.hasThread { return filtered(shape, steps) }
    // SQLite merges what comes in order already.
    let parts = steps.map { step in
      """
      SELECT \(columns) FROM mails \
      WHERE mailbox = ?1 AND grouping = ?2 + \(step) AND key > ?3
      """
    }
    return parts.joined(separator: " UNION ALL ") + " ORDER BY 8 LIMIT ?4"
  }

  /// The plus signs keep SQLite from walking along the order and looking at each row.
  private static func filtered(_ shape: Shape, _ steps: [Int]) -> String {
    var conditions = [
      "+mails.mailbox = ?1",
      "+grouping IN (\(steps.map { "?2 + \($0)" }.joined(separator: ", ")))", "+mails.key > ?3",
    ]
    if shape.hasThread {
      // The first is its thread's only if it joined no other.
      conditions += [
        "mails.id IN (SELECT ?6 UNION ALL SELECT id FROM mails WHERE thread = ?6)",
        "coalesce(mails.thread, mails.id) = ?6",
      ]
    }
    var tables = "mails"
    if shape.hasLabel {
      tables = "labeled CROSS JOIN mails ON mails.id = labeled.mail"
      conditions += ["labeled.mailbox = ?1", "labeled.label = ?5"]
    }
    return """
      SELECT \(columns) FROM \(tables) WHERE \(conditions.joined(separator: " AND ")) \
      ORDER BY 8 LIMIT ?4
      """
  }
}
