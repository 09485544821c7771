import Digests
import EventSourcing
import FastJSON
import Testing

@testable import Domain

struct EventCodingTests {
  static let mailEvents: [(MailboxEvent, String, String)] = [
    (.read(MailID(1)), "mail.read", #"{"mail":1}"#),
    (.unread(MailID(1)), "mail.unread", #"{"mail":1}"#),
    (.flagged(MailID(1)), "mail.flagged", #"{"mail":1}"#),
    (.unflagged(MailID(1)), "mail.unflagged", #"{"mail":1}"#),
    (.trashed(MailID(1)), "mail.trashed", #"{"mail":1}"#),
    (.restored(MailID(1)), "mail.restored", #"{"mail":1}"#),
    (.purged(MailID(1), nil), "mail.purged", #"{"mail":1}"#),
    (
      .purged(MailID(1), MailErasure(known: nil)), "mail.purged", #"{"mail":1,"erased":true}"#
    ),
    (
      .purged(
        MailID(1),
        MailErasure(
          known: KnownMail(
            salt: Fingerprint(high: 1, low: 2), messageID: Fingerprint(high: 3, low: 4),
            digest: Fingerprint(high: .max, low: 0)))),
      "mail.purged",
      #"{"mail":1,"erased":true,"known":{"salt":"00000000000000010000000000000002","#
        + #""messageID":"00000000000000030000000000000004","#
        + #""digest":"ffffffffffffffff0000000000000000"}}"#
    ),
    (.reordered(MailID(1), after: MailID(2)), "mail.reordered", #"{"mail":1,"after":2}"#),
    (.reordered(MailID(1), after: nil), "mail.reordered", #"{"mail":1,"after":null}"#),
    (
      .delivered(
        MailID(7),
        MailContent(
          from: "f", subject: "s", message: "m", date: Timestamp(microseconds: 1), to: ["a"],
          cc: [], messageID: "<m>", inReplyTo: "<i>", references: ["r"], digest: "d", size: 0,
          read: false, flagged: true, answered: false, trashed: true)),
      "mail.delivered",
      #"{"mail":7,"from":"f","subject":"s","message":"m","date":"1970-01-01T00:00:00.000001Z","#
        + #""to":["a"],"cc":[],"messageID":"<m>","inReplyTo":"<i>","references":["r"],"#
        + #""digest":"d","size":0,"read":false,"flagged":true,"answered":false,"trashed":true}"#
    ),
    (
      .swipeConfigured(SwipeConfiguration(rightToLeft: SwipeSide())), "mailbox.swipe-configured",
      #"{"right-to-left":{"buttons":[],"transition":"border","openThreshold":0.5,"#
        + #""keepsOpen":true,"bounces":true,"bounceRate":1,"#
        + #""expansion":{"button":null,"threshold":1.3,"fills":false}}}"#
    ),
  ]

  @Test(arguments: mailEvents)
  func mailboxForm(_ event: MailboxEvent, _ type: String, _ data: String) throws {
    #expect(event.type == EventType(type))
    #expect(event.schema == 1)
    #expect(eventData(event) == data)
    #expect(try MailboxEvent(EventType(type), data) == event)
    let later = data.dropLast() + #","added-later":{"mail":5}}"#
    #expect(try MailboxEvent(EventType(type), String(later)) == event)
  }

  static let place = ItemPlace(section: SectionID(2), after: ItemID(3))
  static let listEvents: [(ListEvent, String, String)] = [
    (.created(title: "t", template: .todo), "list.created", #"{"title":"t","template":"todo"}"#),
    (
      .itemAdded(ItemID(1), text: "x", place), "item.added",
      #"{"item":1,"section":2,"text":"x","after":3}"#
    ),
    (.itemEdited(ItemID(1), text: "x"), "item.edited", #"{"item":1,"text":"x"}"#),
    (.itemCompleted(ItemID(1), place), "item.completed", #"{"item":1,"section":2,"after":3}"#),
    (.itemReopened(ItemID(1), place), "item.reopened", #"{"item":1,"section":2,"after":3}"#),
    (.itemRestored(ItemID(1), place), "item.restored", #"{"item":1,"section":2,"after":3}"#),
    (.itemMoved(ItemID(1), place), "item.moved", #"{"item":1,"section":2,"after":3}"#),
    (.itemDeleted(ItemID(1)), "item.deleted", #"{"item":1}"#),
    (.itemPurged(ItemID(1), erased: true), "item.purged", #"{"item":1,"erased":true}"#),
  ]

  @Test(arguments: listEvents)
  func listForm(_ event: ListEvent, _ type: String, _ data: String) throws {
    #expect(event.type == EventType(type))
    #expect(event.schema == 1)
    #expect(eventData(event) == data)
    #expect(try ListEvent(EventType(type), data) == event)
    let later = data.dropLast() + #","added-later":null}"#
    #expect(try ListEvent(EventType(type), String(later)) == event)
  }

  static let unreadable: [(EventType, String, String)] = [
    ("mail.read", "{}", "'mail' must be a positive integer"),
    ("mail.read", #"{"mail":0}"#, "'mail' must be a positive integer"),
    ("mail.read", "[1]", "'mail' must be a positive integer"),
    ("mail.reordered", #"{"mail":1}"#, "'after' must be a positive integer or null"),
    ("mail.delivered", #"{"mail":1,"from":"f","subject":"s"}"#, "'message' must be a string"),
    ("mail.purged", #"{"mail":1,"erased":0}"#, "'erased' must be true or false"),
    (
      "mail.purged", #"{"mail":1,"erased":true,"known":{"digest":"00"}}"#,
      "'known.salt' must be given"
    ),
    (
      "mail.purged", #"{"mail":1,"erased":true,"known":{"salt":"00"}}"#,
      "'known.salt' must be 32 hexadecimal digits"
    ),
  ]

  @Test(arguments: unreadable)
  func saysWhatItCannotRead(_ type: EventType, _ data: String, _ reason: String) {
    #expect(throws: EventCodingError(type: type, schema: 1, .data(reason))) {
      try MailboxEvent(type, data)
    }
  }

  @Test func saysThatItDoesNotKnowAType() {
    #expect(throws: EventCodingError(type: "mail.eaten", schema: 1, .unknownType)) {
      try MailboxEvent("mail.eaten", #"{"mail":1}"#)
    }
    #expect(throws: EventCodingError(type: "mail.read", schema: 1, .unknownType)) {
      try ListEvent("mail.read", #"{"mail":1}"#)
    }
  }

  /// The schema comes first: data of another one is not so much as looked at.
  @Test(arguments: [UInt16(0), 2, 99, .max]) func readsNoOtherSchema(_ schema: UInt16) throws {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    let data = try parser.parse(Array(#"["no object"]"#.utf8))
    let cause: EventCodingError.Cause =
      schema > 1 ? .newerSchema(known: 1) : .olderSchema(known: 1)
    #expect(throws: EventCodingError(type: "mail.read", schema: schema, cause)) {
      try MailboxEvent(type: "mail.read", schema: schema, data: data)
    }
    #expect(throws: EventCodingError(type: "item.added", schema: schema, cause)) {
      try ListEvent(type: "item.added", schema: schema, data: data)
    }
  }

  @Test func readsWhatWasOnceAccepted() throws {
    // Limits and actions of commands may change; what is logged stays readable.
    let long = String(repeating: "x", count: 2000)
    let event = try MailboxEvent(
      "mail.delivered", #"{"mail":1,"from":"\#(long)","subject":"","message":""}"#)
    guard case .delivered(_, let content) = event else { return }
    #expect(content.from == long)
    _ = try MailboxEvent(
      "mailbox.swipe-configured", #"{"left-to-right":{"buttons":[{"action":"archive"}]}}"#)
  }
}
