import EventSourcing
import FastJSON
import Testing

@testable import Domain

/// A mail is in one box, and each box has its rules.
struct MailboxBoxTests {
  private func box(_ mailbox: Harness<Mailbox>, _ mail: Int) -> MailBox? {
    mailbox.state.state(MailID(mail))?.box
  }

  @Test func theTrashComesBeforeTheSnoozedAndTheseBeforeTheArchive() throws {
    var mailbox = try Harness(mails: 1)
    for (command, expected) in [
      ("archive", MailBox.archive), ("snooze", .snoozed), ("trash", .trash), ("restore", .snoozed),
      ("unsnooze", .archive), ("unarchive", .inbox),
    ] {
      let until = [JSON.Member("until", "2030-01-01T00:00:00Z")]
      let more = command == "snooze" ? until : []
      try mailbox.send(command, .object([.init("mail", 1)] + more))
      #expect(box(mailbox, 1) == expected, "\(command)")
    }
  }

  @Test func everyBoxKeepsThePlaceInTheOrder() throws {
    var mailbox = try Harness(mails: 4)
    try mailbox.send("archive", ["mails": [3, 2]])
    #expect(mailbox.visible == [4, 1])
    try mailbox.send("unarchive", ["mail": 3])
    #expect(mailbox.visible == [4, 3, 1])
  }

  @Test(arguments: ["archive", "trash"])
  func onlyTheInboxIsReordered(_ command: String) throws {
    var mailbox = try Harness(mails: 3)
    try mailbox.send(command, ["mail": 2])
    #expect(
      mailbox.refusal("reorder", ["mail": 2, "first": true])
        == ServiceError(.rejected, "mail 2 must be in the inbox to be moved", ids: [2]))
    #expect(mailbox.refusal("reorder", ["mail": 1, "before": 2])?.code == .anchorGone)
    // Past what is out of sight there is nothing to move.
    #expect(try mailbox.written("reorder", ["mail": 1, "after": 3]) == [])
  }

  @Test func marksApplyInEveryBox() throws {
    var mailbox = try Harness(mails: 1)
    try mailbox.send("trash", ["mail": 1])
    for command in ["mark-read", "flag", "pin", "archive"] {
      #expect(try mailbox.written(command, ["mail": 1]).count == 1)
    }
    try mailbox.send("label", ["mail": 1, "label": "x"])
    try mailbox.send("restore", ["mail": 1])
    #expect(mailbox.state.state(MailID(1)) == [.read, .flagged, .pinned, .archived])
  }

  @Test func swipesWorkEverywhereButInTheTrash() throws {
    var mailbox = try Harness(mails: 1)
    try mailbox.send("configure-swipe", ["left-to-right": ["buttons": [["action": "archive"]]]])
    let press: JSON = ["mail": 1, "direction": "left-to-right", "button": 0]
    #expect(try mailbox.written("press", press) == [#"mail.archived {"mail":1}"#])
    #expect(mailbox.lastVia == "press")
    #expect(try mailbox.written("press", press) == [])
    try mailbox.send("trash", ["mail": 1])
    #expect(mailbox.refusal("press", press)?.code == .rejected)
  }

  @Test func archivingASnoozedMailEndsItsSleep() throws {
    var mailbox = try Harness(mails: 1)
    try mailbox.send("snooze", ["mail": 1, "until": "2030-01-01T00:00:00Z"])
    #expect(
      try mailbox.written("archive", ["mail": 1])
        == [#"mail.unsnoozed {"mail":1,"reason":"command"}"#, #"mail.archived {"mail":1}"#])
    #expect(box(mailbox, 1) == .archive)
  }

  @Test func selectionsKnowTheBoxes() throws {
    var mailbox = try Harness(mails: 4)
    try mailbox.send("archive", ["mails": [1, 2]])
    try mailbox.send("trash", ["mail": 2])
    try mailbox.send("flag", ["all": true, "in": "archive"])
    #expect(mailbox.state.state(MailID(1))?.contains(.flagged) == true)
    #expect(mailbox.state.state(MailID(2))?.contains(.flagged) == false)
    #expect(mailbox.state.state(MailID(3))?.contains(.flagged) == false)
    #expect(mailbox.refusal("flag", ["all": true, "in": "attic"])?.code == .invalid)
  }

  @Test func arrivesInTheStateGiven() throws {
    var mailbox = Harness<Mailbox>()
    try mailbox.send(
      "deliver",
      [
        "from": "f", "subject": "s", "message": "m", "archived": true, "pinned": true,
        "labels": ["Work", "work", "a"],
      ])
    #expect(mailbox.state.state(MailID(1)) == [.archived, .pinned])
    #expect(mailbox.state.labels.labels(of: 1).map(\.text) == ["a", "work"])
  }
}
