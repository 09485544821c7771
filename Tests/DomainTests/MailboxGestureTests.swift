import EventSourcing
import FastJSON
import Testing

@testable import Domain

struct MailboxGestureTests {
  static func swipe(_ direction: String, _ extent: Double, _ velocity: Double = 0) -> JSON {
    [
      "mail": 1, "direction": .string(direction), "extent": .double(extent),
      "velocity": .double(velocity),
    ]
  }

  static func press(_ direction: String, _ button: Int) -> JSON {
    ["mail": 1, "direction": .string(direction), "button": .integer(button)]
  }

  @Test func aLongSwipeTogglesRead() throws {
    var mailbox = try Harness(mails: 2)
    for type in ["read", "unread"] {
      #expect(
        try mailbox.send("swipe", Self.swipe("left-to-right", 2.1))
          == ##"{"result":"triggered","direction":"left-to-right","button":0,"##
          + ##""action":"toggle-read","closes":true,"command":"mark-\##(type)","##
          + ##""changed":true,"removes":false}"##)
      #expect(mailbox.lastVia == "swipe")
      #expect(mailbox.events.last?.type == EventType("mail.\(type)"))
      #expect(mailbox.events.last.map(eventData) == ##"{"mail":1}"##)
    }
    #expect(mailbox.events.count == 4)
  }

  @Test func aLongSwipeTrashesAndDoesNotSpringBack() throws {
    var mailbox = try Harness(mails: 2)
    #expect(
      try mailbox.send("swipe", Self.swipe("right-to-left", 1.2, -9999))
        == ##"{"result":"triggered","direction":"right-to-left","button":0,"action":"trash","##
        + ##""closes":false,"command":"trash","changed":true,"removes":true}"##)
    #expect(mailbox.events.last == .trashed(MailID(1)))
  }

  @Test func aShortSwipeRevealsPresentTitles() throws {
    var mailbox = try Harness(mails: 1)
    try mailbox.send("flag", ["mail": 1])
    let before = mailbox.events.count
    #expect(
      try mailbox.send("swipe", Self.swipe("right-to-left", 0.6))
        == ##"{"result":"revealed","direction":"right-to-left","buttons":["##
        + ##"{"index":0,"action":"trash","title":"Trash","color":"#FF3B32","padding":15,"##
        + ##""closes":false},{"index":1,"action":"toggle-flag","title":"Unflag","##
        + ##""color":"#FF950D","padding":15,"closes":true},{"index":2,"action":"more","##
        + ##""title":"More","color":"#C8C8CD","padding":15,"closes":false}],"##
        + ##""transition":"rotate-3d","openThreshold":0.5,"keepsOpen":true,"bounces":true,"##
        + ##""bounceRate":1,"expansion":{"button":0,"threshold":1.1,"fills":true}}"##)
    #expect(
      try mailbox.send("swipe", Self.swipe("left-to-right", 0.6))
        == ##"{"result":"revealed","direction":"left-to-right","buttons":[{"index":0,"##
        + ##""action":"toggle-read","title":"Mark as read","color":"#007AFF","padding":10,"##
        + ##""closes":true}],"transition":"rotate-3d","openThreshold":0.5,"keepsOpen":true,"##
        + ##""bounces":true,"bounceRate":1,"##
        + ##""expansion":{"button":0,"threshold":2,"fills":false}}"##)
    #expect(
      try mailbox.send("swipe", Self.swipe("right-to-left", 0.5)) == ##"{"result":"closed"}"##)
    #expect(mailbox.events.count == before)
    #expect(mailbox.lastVia == nil)
  }

  @Test func pressActsAsTheButtonSays() throws {
    var mailbox = try Harness(mails: 1)
    for (type, command) in [("flagged", "flag"), ("unflagged", "unflag")] {
      #expect(
        try mailbox.send("press", Self.press("right-to-left", 1))
          == ##"{"result":"triggered","direction":"right-to-left","button":1,"##
          + ##""action":"toggle-flag","closes":true,"command":"\##(command)","##
          + ##""changed":true,"removes":false}"##)
      #expect(mailbox.events.last?.type == EventType("mail.\(type)"))
      #expect(mailbox.lastVia == "press")
    }
  }

  @Test func moreIsASheetOfAbsoluteCommands() throws {
    var mailbox = try Harness(mails: 1)
    #expect(
      try mailbox.send("press", Self.press("right-to-left", 2))
        == ##"{"result":"sheet","title":"Actions","actions":[{"title":"Cancel"},"##
        + ##"{"title":"Trash","command":"trash","data":{"mail":1},"destructive":true},"##
        + ##"{"title":"Mark as unread","command":"mark-unread","data":{"mail":1}},"##
        + ##"{"title":"Mark as read","command":"mark-read","data":{"mail":1}},"##
        + ##"{"title":"Flag","command":"flag","data":{"mail":1}}]}"##)
    #expect(mailbox.events.count == 1)
  }

  @Test func refusesAButtonThatIsNotThere() throws {
    var mailbox = try Harness(mails: 1)
    #expect(
      mailbox.refusal("press", Self.press("right-to-left", 3))
        == ServiceError(
          .invalid, "'button' must be the index of one of the 3 'right-to-left' buttons"))
    #expect(mailbox.refusal("press", Self.press("left-to-right", 1))?.code == .invalid)
    #expect(
      mailbox.refusal("press", ["mail": 8, "direction": "left-to-right", "button": 9])
        == ServiceError(.notFound, "there is no mail 8", ids: [8]))
  }

  @Test func anActionThatChangesNothingIsStillTriggered() throws {
    var mailbox = try Harness(mails: 1)
    try mailbox.send(
      "configure-swipe",
      ["left-to-right": ["buttons": [["action": "mark-unread"], ["action": "none"]]]])
    for (index, (action, command)) in [
      ("mark-unread", #""command":"mark-unread","#), ("none", ""),
    ].enumerated() {
      let before = mailbox.events.count
      #expect(
        try mailbox.send("press", Self.press("left-to-right", index))
          == ##"{"result":"triggered","direction":"left-to-right","button":\##(index),"##
          + ##""action":"\##(action)","closes":true,\##(command)"changed":false,"##
          + ##""removes":false}"##)
      #expect(mailbox.events.count == before)
    }
  }

  @Test func everyMailActionIsAbsolute() throws {
    let expected: [(String, String?)] = [
      ("mark-read", "mail.read"), ("mark-read", nil), ("mark-unread", "mail.unread"),
      ("flag", "mail.flagged"), ("flag", nil), ("unflag", "mail.unflagged"), ("unflag", nil),
      ("archive", "mail.archived"), ("archive", nil), ("trash", "mail.trashed"),
    ]
    var mailbox = try Harness(mails: 1)
    for (action, type) in expected {
      try mailbox.send(
        "configure-swipe", ["left-to-right": ["buttons": [["action": .string(action)]]]])
      let events = try mailbox.written("press", Self.press("left-to-right", 0))
      #expect(events == (type.map { ["\($0) {\"mail\":1}"] } ?? []))
    }
  }

  @Test func aPressMayNameTheActionThatItMeans() throws {
    var mailbox = try Harness(mails: 1)
    func press(_ button: Int, _ action: String) -> JSON {
      [
        "mail": 1, "direction": "right-to-left", "button": .integer(button),
        "action": .string(action),
      ]
    }
    #expect(try mailbox.written("press", press(1, "toggle-flag")) == [#"mail.flagged {"mail":1}"#])
    #expect(
      mailbox.refusal("press", press(0, "toggle-flag"))
        == ServiceError(
          .rejected,
          "button 0 of 'right-to-left' is not 'toggle-flag' now: its buttons are 0 'trash', "
            + "1 'toggle-flag', 2 'more'"))
    #expect(mailbox.refusal("press", press(7, "trash"))?.code == .rejected)
    try mailbox.send("configure-swipe", ["right-to-left": [:]])
    #expect(
      mailbox.refusal("press", press(0, "trash"))?.message
        == "button 0 of 'right-to-left' is not 'trash' now: the side has no buttons")
    #expect(
      refusal(
        MailboxCommand.self, "press",
        #"{"mail":1,"direction":"right-to-left","button":0,"action":"explode"}"#)?
        .hasPrefix("invalid: 'action' must be one of 'toggle-read', ") == true)
  }

  @Test func aSideWithoutButtonsStaysClosed() throws {
    var mailbox = try Harness(mails: 1)
    try mailbox.send("configure-swipe", ["left-to-right": [:]])
    #expect(
      try mailbox.send("swipe", Self.swipe("left-to-right", 5, 500)) == ##"{"result":"closed"}"##)
  }
}
