internal import EventSourcing

/// What one event changed in a mailbox, for taking it back.
enum MailStep: UndoStep {
  /// A mark was set or cleared; `was` is what it was before.
  case marked(UInt32, MailMark, was: Bool)
  case delivered(UInt32)
  /// Its neighbours before, 0 for none.
  case moved(UInt32, above: UInt32, below: UInt32)
  /// The sides that were set, as they were before.
  indirect case configured(SwipeConfiguration)
  /// The sides that a mail's row had of its own before.
  indirect case configuredRow(UInt32, was: SwipeConfiguration?)
  case purged(UInt32)
  case labeled(UInt32, MailLabel, was: Bool)
  /// Until when it slept before.
  case snoozed(UInt32, was: Timestamp?)
  /// A thread.
  case muted(UInt32, was: Bool)
  case retention(was: TrashRetention?)
  /// To another mailbox, or on the way there.
  case left(UInt32)

  /// The fields' numbers; those of marks follow their raw values.
  private enum Kind {
    static let place: UInt8 = 0
    static let swipe: UInt8 = 1
    static let existence: UInt8 = 2
    static let rowSwipe: UInt8 = 3
    static let label: UInt8 = 4
    static let snooze: UInt8 = 5
    static let mute: UInt8 = 6
    static let retention: UInt8 = 7
    static let firstMark: UInt8 = 16
  }

  func forEachField(_ body: (UndoField) -> Void) {
    switch self {
    case .marked(let mail, let mark, _): body(UndoField(Kind.firstMark + mark.rawValue, of: mail))
    case .delivered(let mail): body(UndoField(Kind.firstMark + MailMark.trashed.rawValue, of: mail))
    case .moved(let mail, _, _): body(UndoField(Kind.place, of: mail))
    case .configured(let sides):
      if sides.leftToRight != nil { body(UndoField(Kind.swipe, ofPart: 0, detail: 0)) }
      if sides.rightToLeft != nil { body(UndoField(Kind.swipe, ofPart: 0, detail: 1)) }
    case .configuredRow(let mail, _): body(UndoField(Kind.rowSwipe, of: mail))
    case .purged(let mail), .left(let mail): body(UndoField(Kind.existence, of: mail))
    case .labeled(let mail, let label, _):
      body(UndoField(Kind.label, of: mail, detail: label.shortHash))
    case .snoozed(let mail, _): body(UndoField(Kind.snooze, of: mail))
    case .muted(let thread, _): body(UndoField(Kind.mute, ofPart: thread))
    case .retention: body(UndoField(Kind.retention, ofPart: 0))
    }
  }

  var refusal: String? {
    switch self {
    case .purged(let mail): "purged mail \(mail) for good"
    case .left(let mail): "moved mail \(mail) to another mailbox; move it back from there"
    default: nil
    }
  }

  var row: MailID? {
    switch self {
    case .marked(let mail, _, _), .delivered(let mail), .moved(let mail, _, _), .purged(let mail),
      .configuredRow(let mail, _), .labeled(let mail, _, _), .snoozed(let mail, _), .left(let mail):
      MailID(slot: mail)
    case .configured, .muted, .retention: nil
    }
  }
}

/// A field of a mail that holds or does not.
enum MailMark: UInt8, CaseIterable {
  case read = 0
  case flagged = 1
  case trashed = 2
  case archived = 3
  case pinned = 4

  var state: Mailbox.State {
    switch self {
    case .read: .read
    case .flagged: .flagged
    case .trashed: .trashed
    case .archived: .archived
    case .pinned: .pinned
    }
  }

  /// The change that sets the mark, or clears it.
  func change(to isSet: Bool) -> MailChange {
    switch self {
    case .read: isSet ? .markRead : .markUnread
    case .flagged: isSet ? .flag : .unflag
    case .trashed: isSet ? .trash : .restore
    case .archived: isSet ? .archive : .unarchive
    case .pinned: isSet ? .pin : .unpin
    }
  }
}

/// A step as bytes: its kind, a mark's with what it was before in one byte, then its numbers.
extension MailStep {
  private enum Code {
    static let delivered: UInt8 = 0
    static let moved: UInt8 = 1
    static let configured: UInt8 = 2
    static let purged: UInt8 = 3
    static let configuredRow: UInt8 = 4
    /// Of a row that had no side of its own.
    static let configuredUsualRow: UInt8 = 5
    static let labeled: UInt8 = 6
    static let snoozed: UInt8 = 7
    static let muted: UInt8 = 8
    static let retention: UInt8 = 9
    static let left: UInt8 = 10
    /// Behind it twice each mark's number, plus 1 where it was set.
    static let firstMark: UInt8 = 64
  }

  func write(to writer: inout SnapshotWriter) {
    switch self {
    case .marked(let mail, let mark, let was):
      writer.byte(Code.firstMark + mark.rawValue * 2 + (was ? 1 : 0))
      writer.number(mail)
    case .delivered(let mail):
      writer.byte(Code.delivered)
      writer.number(mail)
    case .moved(let mail, let above, let below):
      writer.byte(Code.moved)
      writer.number(mail)
      writer.number(above)
      writer.number(below)
    case .configured(let sides):
      writer.byte(Code.configured)
      sides.writeSnapshot(to: &writer)
    case .configuredRow(let mail, let sides):
      writer.byte(sides == nil ? Code.configuredUsualRow : Code.configuredRow)
      writer.number(mail)
      sides?.writeSnapshot(to: &writer)
    case .purged(let mail):
      writer.byte(Code.purged)
      writer.number(mail)
    case .labeled(let mail, let label, let was):
      writer.byte(Code.labeled)
      writer.number(mail)
      writer.text(label.text)
      writer.bool(was)
    case .snoozed(let mail, let was):
      writer.byte(Code.snoozed)
      writer.number(mail)
      writer.bool(was != nil)
      if let was { writer.signed(was.microseconds) }
    case .muted(let thread, let was):
      writer.byte(Code.muted)
      writer.number(thread)
      writer.bool(was)
    case .retention(let was):
      writer.byte(Code.retention)
      writer.number(was?.seconds ?? 0)
    case .left(let mail):
      writer.byte(Code.left)
      writer.number(mail)
    }
  }

  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    let code = try reader.byte()
    switch code {
    case Code.delivered: self = .delivered(try reader.slot())
    case Code.moved:
      self = .moved(try reader.slot(), above: try reader.slot(), below: try reader.slot())
    case Code.configured: self = .configured(try SwipeConfiguration(snapshot: &reader))
    case Code.configuredRow:
      self = .configuredRow(
        try reader.slot(), was: try SwipeConfiguration(snapshot: &reader))
    case Code.configuredUsualRow: self = .configuredRow(try reader.slot(), was: nil)
    case Code.purged: self = .purged(try reader.slot())
    case Code.labeled:
      self = .labeled(try reader.slot(), try MailLabel(snapshot: &reader), was: try reader.bool())
    case Code.snoozed:
      self = .snoozed(
        try reader.slot(),
        was: try reader.bool() ? try Snoozes.readTime(&reader) : nil)
    case Code.muted: self = .muted(try reader.slot(), was: try reader.bool())
    case Code.retention: self = .retention(was: try TrashRetention.read(&reader))
    case Code.left: self = .left(try reader.slot())
    default:
      guard code >= Code.firstMark, let mark = MailMark(rawValue: (code - Code.firstMark) / 2)
      else { throw SnapshotDecodingError("a change is of no known kind") }
      self = .marked(try reader.slot(), mark, was: code & 1 == 1)
    }
  }
}
