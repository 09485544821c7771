import EventSourcing
import FastJSON
import Testing

@testable import Domain

extension Harness<Mailbox> {
  /// A mailbox of mails 1 to `count`, so that the newest, `count`, is on top.
  init(mails count: Int) throws {
    self.init()
    for _ in 0..<count { try send("deliver", ["from": "f", "subject": "s", "message": "m"]) }
  }

  /// The mails in the inbox, top first.
  var visible: [Int] { state.fullOrder.filter { state.states[$0].isInInbox } }
}

extension Mailbox {
  /// All mails but purged ones, top first.
  var fullOrder: [Int] {
    var mails: [Int] = []
    var mail = order.first(in: 0)
    while mail != 0 {
      mails.append(Int(mail))
      mail = order.number(after: mail)
    }
    return mails
  }
}

struct MailboxTests {
  @Test func numbersMailsFromOne() throws {
    var mailbox = Harness<Mailbox>()
    let data: JSON = ["from": "f", "subject": "s", "message": "m"]
    #expect(try mailbox.send("deliver", data) == #"{"mail":1}"#)
    #expect(
      try mailbox.written("deliver", data)
        == [#"mail.delivered {"mail":2,"from":"f","subject":"s","message":"m"}"#])
    #expect(mailbox.visible == [2, 1])
  }

  @Test func deliversInTheStateGiven() throws {
    var mailbox = Harness<Mailbox>()
    let events = try mailbox.written(
      "deliver",
      [
        "from": "f", "subject": "s", "message": "m", "read": true, "flagged": true,
        "answered": true, "trashed": true,
      ])
    #expect(events.count == 1)
    #expect(mailbox.state.state(MailID(1)) == [.read, .flagged, .trashed])
    #expect(mailbox.visible == [])
  }

  static let early: [(String, JSON)] = [
    ("flag", ["mail": 1]), ("reorder", ["mail": 1, "first": true]),
    ("trash", ["mails": [1]]),
    ("swipe", ["mail": 1, "direction": "left-to-right", "extent": 1]),
    ("press", ["mail": 1, "direction": "left-to-right", "button": 0]),
  ]

  @Test(arguments: early)
  func isNotThereBeforeItsFirstEvent(_ name: String, _ data: JSON) {
    var mailbox = Harness<Mailbox>()
    #expect(mailbox.refusal(name, data) == ServiceError(.notFound, "there is no such mailbox"))
  }

  /// A change, the event that it makes on a fresh mail, and one to make before.
  static let changes: [(String, String, String?)] = [
    ("mark-read", "mail.read", nil), ("mark-unread", "mail.unread", "mark-read"),
    ("flag", "mail.flagged", nil), ("unflag", "mail.unflagged", "flag"),
    ("trash", "mail.trashed", nil), ("restore", "mail.restored", "trash"),
    ("archive", "mail.archived", nil), ("unarchive", "mail.unarchived", "archive"),
    ("pin", "mail.pinned", nil), ("unpin", "mail.unpinned", "pin"),
  ]

  @Test(arguments: changes)
  func changesOnce(_ name: String, _ type: String, _ before: String?) throws {
    var mailbox = try Harness(mails: 2)
    if let before { try mailbox.send(before, ["mail": 1]) }
    #expect(try mailbox.send(name, ["mail": 1]) == "{}")
    #expect(mailbox.events.last.map { "\($0.type) \(eventData($0))" } == #"\#(type) {"mail":1}"#)
    #expect(try mailbox.written(name, ["mail": 1]) == [])
    #expect(try mailbox.send(name, ["mail": 1]) == "{}")
  }

  @Test func changesASetTogether() throws {
    var mailbox = try Harness(mails: 3)
    try mailbox.send("flag", ["mail": 2])
    #expect(
      try mailbox.send("flag", ["mails": [3, 2, 3, 1]])
        == #"{"results":[{"mail":3,"changed":true},{"mail":2,"changed":false},"#
        + #"{"mail":1,"changed":true}]}"#)
    #expect(mailbox.events.suffix(2) == [.flagged(MailID(3)), .flagged(MailID(1))])
  }

  @Test func listsAThousandResultsThenCounts() throws {
    var mailbox = try Harness(mails: 1001)
    let thousand = try JSON(parsing: mailbox.send("flag", ["mails": ids(Array(1...1000))]))
    #expect(thousand["results"]?.array?.count == 1000)
    #expect(thousand["count"] == nil)
    let all = try JSON(parsing: mailbox.send("flag", ["mails": ids(Array(1...1001))]))
    #expect(all["results"]?.array?.count == 1000)
    #expect(all["count"] == 1001)
    #expect(all["changed"] == 1)
  }

  @Test func unknownMailsFailItWhole() throws {
    var mailbox = try Harness(mails: 3)
    try mailbox.send("trash", ["mail": 2])
    try mailbox.send("purge", ["mail": 2])
    #expect(
      mailbox.refusal("flag", ["mails": [1, 9, 2, 3]])
        == ServiceError(.notFound, "there are no mails with 2 of these ids", ids: [9, 2]))
    #expect(
      mailbox.refusal("flag", ["mail": 2])
        == ServiceError(.notFound, "there is no mail 2", ids: [2]))
    #expect(mailbox.refusal("flag", ["mail": .integer(.max)])?.ids == [Int.max])
    let many = mailbox.refusal("flag", ["mails": ids(Array(10...5000))])
    #expect(many?.ids == Array(10..<1010))
  }

  @Test func theTrashKeepsStateAndPlace() throws {
    var mailbox = try Harness(mails: 4)
    try mailbox.send("flag", ["mail": 3])
    try mailbox.send("trash", ["mails": [3, 2]])
    #expect(mailbox.visible == [4, 1])
    try mailbox.send("mark-read", ["mail": 3])
    try mailbox.send("restore", ["mail": 3])
    #expect(mailbox.visible == [4, 3, 1])
    #expect(mailbox.state.state(MailID(3)) == [.read, .flagged])
  }

  @Test func purgesFromTheTrashOnly() throws {
    var mailbox = try Harness(mails: 3)
    try mailbox.send("trash", ["mail": 1])
    #expect(
      mailbox.refusal("purge", ["mails": [1, 2, 3]])
        == ServiceError(.rejected, "2 mails must be in the trash to be purged", ids: [2, 3]))
    #expect(try mailbox.written("purge", ["mail": 1]) == [#"mail.purged {"mail":1}"#])
    #expect(mailbox.refusal("restore", ["mail": 1])?.code == .notFound)
    #expect(
      try mailbox.send("deliver", ["from": "", "subject": "", "message": ""]) == #"{"mail":4}"#)
  }

  static let rowCommands: [(String, JSON, String)] = [
    ("reorder", ["mail": 1, "first": true], "must be in the inbox to be moved"),
    (
      "snooze", ["mail": 1, "until": "2030-01-01T00:00:00Z"],
      "must not be in the trash to be snoozed"
    ),
    (
      "swipe", ["mail": 1, "direction": "left-to-right", "extent": 0],
      "must not be in the trash to be swiped"
    ),
    (
      "press", ["mail": 1, "direction": "left-to-right", "button": 0],
      "must not be in the trash to be swiped"
    ),
  ]

  @Test(arguments: rowCommands)
  func refusesRowsInTheTrash(_ name: String, _ data: JSON, _ message: String) throws {
    var mailbox = try Harness(mails: 2)
    try mailbox.send("trash", ["mail": 1])
    #expect(
      mailbox.refusal(name, data) == ServiceError(.rejected, "mail 1 \(message)", ids: [1]))
  }

  @Test func whatLostEventsGaveIsNotGivenAgain() throws {
    var state = try Harness(mails: 2).state
    let content = MailContent(from: "", subject: "", message: "")
    state.apply(.lost)
    state.apply(.lost)
    #expect(state.nextMail == MailID(5))
    #expect(try Mailbox(snapshotBytes: state.snapshotBytes) == state)
    state.apply(.delivered(MailID(3), content))
    #expect(state.nextMail == MailID(4))
    state.apply(.delivered(MailID(6), content))
    #expect(state.nextMail == MailID(7))
    #expect(state.state(MailID(5)) == nil && state.state(MailID(6)) == [])
  }

  @Test func anEventThatMakesNoSenseChangesNothing() throws {
    let mailbox = try Harness(mails: 2)
    var state = mailbox.state
    let content = MailContent(from: "", subject: "", message: "")
    for event: MailboxEvent in [
      .delivered(MailID(2), content), .delivered(MailID(.max), content), .read(MailID(3)),
      .purged(MailID(7), MailErasure(known: nil)), .reordered(MailID(1), after: MailID(1)),
      .reordered(MailID(1), after: MailID(5)), .reordered(MailID(.max), after: nil),
    ] {
      state.apply(event)
      #expect(state == mailbox.state)
    }
  }
}

/// Which mails a mailbox takes for known.
struct KnownMailTests {
  static func mail(_ messageID: String?, _ digest: String?) -> JSON {
    var members: [JSON.Member] = [
      .init("from", "f"), .init("subject", "s"), .init("message", "m"),
    ]
    if let messageID { members.append(.init("messageID", .string(messageID))) }
    if let digest { members.append(.init("digest", .string(digest))) }
    return .object(members)
  }

  /// Message id and digest of two mails, and whether the second is the first.
  static let pairs: [(String?, String?, String?, String?, Bool)] = [
    (nil, nil, nil, nil, false),
    ("a", nil, "a", nil, true),
    ("a", nil, "b", nil, false),
    ("a", "1", "a", "1", true),
    ("a", "1", "a", "2", false),
    ("a", "1", "a", nil, true),
    ("a", nil, "a", "1", true),
    ("a", "1", "b", "1", false),
    (nil, "1", nil, "1", true),
    (nil, "1", nil, "2", false),
    (nil, "1", "a", "1", false),
    ("a", "1", nil, "1", false),
    ("1", nil, nil, "1", false),
  ]

  @Test(arguments: pairs)
  func tellsTwoApart(
    _ id1: String?, _ digest1: String?, _ id2: String?, _ digest2: String?, _ same: Bool
  ) throws {
    var mailbox = Harness<Mailbox>()
    try mailbox.send("deliver", Self.mail(id1, digest1))
    let events = try mailbox.written("deliver", Self.mail(id2, digest2))
    #expect(events.isEmpty == same)
  }

  @Test func tellsNamesakesApart() throws {
    var mailbox = Harness<Mailbox>()
    for (digest, mail) in [("1", 1), ("2", 2), ("3", 3), ("2", 2), ("1", 1), ("3", 3)] {
      #expect(try mailbox.send("deliver", Self.mail("a", digest)) == #"{"mail":\#(mail)}"#)
    }
    #expect(try mailbox.send("deliver", Self.mail("a", nil)) == #"{"mail":1}"#)
    #expect(mailbox.events.count == 3)
  }

  @Test func knowsPurgedMailAndKeepsItsState() throws {
    var mailbox = Harness<Mailbox>()
    try mailbox.send("deliver", Self.mail("a", nil))
    try mailbox.send("flag", ["mail": 1])
    #expect(try mailbox.send("deliver", Self.mail("a", nil)) == #"{"mail":1}"#)
    #expect(mailbox.state.state(MailID(1)) == .flagged)
    try mailbox.send("trash", ["mail": 1])
    try mailbox.send("purge", ["mail": 1])
    #expect(try mailbox.written("deliver", Self.mail("a", nil)) == [])
    #expect(try mailbox.send("deliver", Self.mail("a", nil)) == #"{"mail":1}"#)
    #expect(mailbox.state.fullOrder == [])
  }
}
