import EventSourcing
import FastJSON
import Testing

@testable import Domain

/// Moving mails to another mailbox: the rules of both ends.
struct MoveTests {
  private let archive: JSON = "mailbox/archive"

  private func mailbox(_ count: Int) throws -> Harness<Mailbox> {
    var mailbox = Harness<Mailbox>()
    for number in 1...count {
      try mailbox.send(
        "deliver",
        ["from": "f", "subject": "s", "message": "m", "messageID": .string("<\(number)>")])
    }
    return mailbox
  }

  @Test func isAskedForAndThenDone() throws {
    var mailbox = try mailbox(3)
    #expect(
      try mailbox.written("move", ["mail": 2, "to": archive]) == [
        #"mail.move-requested {"mail":2,"to":"mailbox/archive"}"#
      ])
    #expect(mailbox.state.state(MailID(2)) != nil, "the mail stays until the target has it")
    try mailbox.send("complete-move", ["mail": 2, "to": archive, "as": 7], id: "~c")
    #expect(
      mailbox.events.last == .moved(MailID(2), to: try StreamID("mailbox/archive"), as: MailID(7)))
    #expect(mailbox.state.state(MailID(2)) == nil)
    #expect(mailbox.refusal("flag", ["mail": 2])?.code == .notFound)
    #expect(mailbox.state == mailbox.replayed)
  }

  @Test func outcomeSaysWhereTo() throws {
    var mailbox = try mailbox(3)
    let single = try mailbox.send("move", ["mail": 1, "to": archive])
    #expect(single == #"{"to":"mailbox/archive"}"#)
    #expect(MailboxOutcome.isOfMove(Array(single.utf8)))
    let bulk = try mailbox.send("move", ["mails": [2, 3], "to": archive])
    #expect(
      bulk
        == #"{"to":"mailbox/archive","results":[{"mail":2,"changed":true},{"mail":3,"changed":true}]}"#
    )
    #expect(!MailboxOutcome.isOfMove(Array(#"{"mail":3}"#.utf8)))
  }

  @Test(
    arguments: [
      ("mark-read", ["mail": 2]), ("flag", ["mails": [1, 2]]), ("trash", ["mail": 2]),
      ("archive", ["mail": 2]), ("pin", ["mail": 2]), ("label", ["mail": 2, "label": "x"]),
      ("snooze", ["mail": 2, "until": "2030-01-01T00:00:00Z"]),
      ("reorder", ["mail": 2, "first": true]),
      ("swipe", ["mail": 2, "direction": "right-to-left", "extent": 2]),
      ("press", ["mail": 2, "direction": "left-to-right", "button": 0]),
      ("move", ["mail": 2, "to": "mailbox/other"]), ("undo", ["command": "before"]),
    ] as [(String, JSON)])
  func nothingElseIsDoneToAMailOnItsWay(name: String, data: JSON) throws {
    var mailbox = try mailbox(3)
    try mailbox.send("flag", ["mail": 2], id: "before")
    try mailbox.send("move", ["mail": 2, "to": archive])
    let refused = mailbox.refusal(name, data)
    let refusal = try #require(refused)
    #expect(refusal.code == .rejected)
    #expect(refusal.message.contains("mail 2 is being moved to mailbox/archive"))
    #expect(refusal.ids == [2])
    try mailbox.send(
      "fail-move", ["mail": 2, "to": archive, "reason": "it is full"], id: "~f")
    try mailbox.send("mark-read", ["mail": 2])
  }

  @Test func allLeavesOutWhatIsOnItsWay() throws {
    var mailbox = try mailbox(3)
    try mailbox.send("move", ["mail": 2, "to": archive])
    #expect(try mailbox.written("flag", ["all": true]).count == 2)
    #expect(try mailbox.written("move", ["all": true, "to": archive]).count == 2)
    #expect(try mailbox.written("move", ["all": true, "to": archive]).isEmpty)
  }

  @Test func refusesWhatCannotMove() throws {
    var mailbox = try mailbox(3)
    try mailbox.send("trash", ["mail": 1])
    #expect(mailbox.refusal("move", ["mail": 1, "to": archive])?.code == .rejected)
    #expect(mailbox.refusal("move", ["mails": [1, 2], "to": archive])?.ids == [1])
    #expect(mailbox.refusal("move", ["mail": 9, "to": archive])?.code == .notFound)
    for target in ["list/a", "system/x", "mailbox/", "archive", ""] {
      #expect(mailbox.refusal("move", ["mail": 2, "to": .string(target)])?.code == .invalid)
    }
    #expect(mailbox.refusal("move", ["mail": 2])?.code == .invalid)
    let own = try StreamID("mailbox/own")
    let context = DecisionContext(
      time: Timestamp(microseconds: 0), command: CommandID("c")!, stream: own)
    #expect(throws: ServiceError.self) {
      try mailbox.state.decide(.move(Targets(MailID(2)), to: own), in: context)
    }
  }

  @Test(arguments: ["show-leaving", "arrive", "complete-move", "fail-move", "wake", "expire"])
  func clientsHaveNoCommandsOfTheService(name: String) throws {
    var mailbox = try mailbox(1)
    try mailbox.send("move", ["mail": 1, "to": archive])
    let data: [String: JSON] = [
      "show-leaving": ["mail": 1], "wake": ["mail": 1, "until": "2030-01-01T00:00:00Z"],
      "expire": ["mails": [1]], "complete-move": ["mail": 1, "to": archive, "as": 1],
      "fail-move": ["mail": 1, "to": archive, "reason": "r"],
      "arrive": [
        "from": "f", "subject": "s", "message": "m", "origin": ["stream": "mailbox/a", "mail": 1],
      ],
    ]
    #expect(mailbox.refusal(name, try #require(data[name]))?.code == .unknownCommand)
  }

  @Test func arrivesOnceAsANewMail() throws {
    var target = try mailbox(2)
    let arrival: JSON = [
      "from": "f", "subject": "s", "message": "m", "messageID": "<1>", "flagged": true,
      "archived": true, "labels": ["work"], "origin": ["stream": "mailbox/inbox", "mail": 17],
      "until": "2030-01-01T00:00:00Z",
    ]
    #expect(
      try target.send("arrive", arrival, id: "~a") == #"{"mail":3}"#,
      "also where the mailbox knows the message")
    #expect(target.events.suffix(2).map(\.type) == ["mail.delivered", "mail.snoozed"])
    let state = try #require(target.state.state(MailID(3)))
    #expect(state.contains([.flagged, .archived, .snoozed]) && !state.contains(.read))
    let count = target.events.count
    #expect(try target.send("arrive", arrival, id: "~b") == #"{"mail":3}"#)
    var changed = arrival.members!
    changed.removeAll { $0.key == "flagged" }
    #expect(try target.send("arrive", .object(changed), id: "~c") == #"{"mail":3}"#)
    #expect(target.events.count == count, "it arrived before")
    // Also when it is gone.
    try target.send("unsnooze", ["mail": 3])
    try target.send("trash", ["mail": 3])
    try target.send("purge", ["mail": 3, "erase": true])
    #expect(try target.send("arrive", arrival, id: "~d") == #"{"mail":3}"#)
    #expect(target.state == target.replayed)
    let restored = try Mailbox(snapshotBytes: target.state.snapshotBytes)
    #expect(restored == target.state)
  }

  @Test func movedMailStaysKnown() throws {
    var mailbox = try mailbox(2)
    try mailbox.send("move", ["mail": 1, "to": archive])
    try mailbox.send("complete-move", ["mail": 1, "to": archive, "as": 1], id: "~c")
    let again = try mailbox.send(
      "deliver", ["from": "f", "subject": "s", "message": "m", "messageID": "<1>"])
    #expect(again == #"{"mail":1}"#)
    // Its text can still be taken out of this mailbox's part of the log.
    #expect(try mailbox.written("purge", ["mail": 1, "erase": true]).count == 1)
  }

  @Test func onlyWhatIsOnItsWayCanEndIt() throws {
    var mailbox = try mailbox(2)
    try mailbox.send("move", ["mail": 1, "to": archive])
    func end(_ name: String, _ data: JSON) throws {
      let command = try MailboxCommand(name, data.text)
      _ = try mailbox.state.decide(
        command,
        in: DecisionContext(time: Timestamp(microseconds: 0), command: CommandID("~x")!))
    }
    #expect(throws: ServiceError.self) {
      try end("complete-move", ["mail": 2, "to": archive, "as": 1])
    }
    #expect(throws: ServiceError.self) {
      try end("complete-move", ["mail": 1, "to": "mailbox/other", "as": 1])
    }
    #expect(throws: ServiceError.self) {
      try end("fail-move", ["mail": 2, "to": archive, "reason": "r"])
    }
    try end("complete-move", ["mail": 1, "to": archive, "as": 1])
  }

  @Test func aMoveIsNotTakenBack() throws {
    var mailbox = try mailbox(2)
    try mailbox.send("move", ["mail": 1, "to": archive], id: "move")
    try mailbox.send("complete-move", ["mail": 1, "to": archive, "as": 1], id: "~c")
    let refused = mailbox.refusal("undo", ["command": "move"])
    let refusal = try #require(refused)
    #expect(refusal.code == .rejected)
    #expect(refusal.message.contains("move it back from there"))
  }

  @Test func aSnoozedMailOnItsWayIsNotWoken() throws {
    var mailbox = try mailbox(1)
    try mailbox.send("snooze", ["mail": 1, "until": "2030-01-01T00:00:00Z"])
    try mailbox.send("move", ["mail": 1, "to": archive])
    #expect(throws: ServiceError.self) {
      try mailbox.send("wake", ["mail": 1, "until": "2030-01-01T00:00:00Z"], id: "~w")
    }
    try mailbox.send(
      "deliver",
      ["from": "f", "subject": "s", "message": "m", "messageID": "<n>", "inReplyTo": "<1>"])
    #expect(mailbox.state.snoozes.until[1] != nil)
  }
}
