import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("The view of a mailbox")
struct MailboxViewTests {
  private static func mail(_ number: Int, read: Bool? = nil, flag: Bool? = nil) -> MailboxEvent {
    .delivered(
      MailID(number),
      MailContent(
        from: "From \(number)", subject: "Subject", message: "Message",
        date: Timestamp(microseconds: 1_000_001), read: read, flagged: flag))
  }

  @Test("is exactly as the contract shows it")
  func exact() async throws {
    let store = InMemoryEventStore()
    store.add([Self.mail(1)], to: inbox)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      let text = String(decoding: try await views.bytes(inbox), as: UTF8.self)
      var swipe = JSONWriter()
      SwipeSettings.mailboxDefault.write(to: &swipe)
      #expect(
        text == """
          {"stream":"mailbox/inbox","revision":1,"position":1,"rows":[{"mail":1,"from":"From 1",\
          "subject":"Subject","message":"Message","date":"1970-01-01T00:00:01.000001Z",\
          "read":false,"flag":false,"indicator":{"color":"#007AFF","core":null},\
          "titles":{"left-to-right":["Mark as read"],"right-to-left":["Trash","Flag","More"]}}],\
          "swipe":\(String(decoding: swipe.bytes, as: UTF8.self)),\
          "counts":{"total":1,"unread":1,"flagged":0,"trash":0},"cursor":null}
          """)
      let folded = try StateReader(store: store).state(of: inbox)
      #expect(String(decoding: folded, as: UTF8.self) == text)
    }
  }

  @Test("shows each state's indicator and titles")
  func states() async throws {
    let store = InMemoryEventStore()
    store.add(
      [
        Self.mail(1, read: false, flag: true), Self.mail(2, read: true, flag: true),
        Self.mail(3, read: false, flag: false), Self.mail(4, read: true, flag: false),
      ], to: inbox)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      let rows = try await views.query(inbox)["rows"]?.array ?? []
      #expect(rows.map { $0["mail"] } == [4, 3, 2, 1])
      #expect(
        rows.map { $0["indicator"] } == [
          ["color": .null, "core": .null], ["color": "#007AFF", "core": .null],
          ["color": "#FF950D", "core": .null], ["color": "#FF950D", "core": "#007AFF"],
        ])
      #expect(
        rows.map { $0["titles"] } == [
          titles("Mark as unread", "Flag"), titles("Mark as read", "Flag"),
          titles("Mark as unread", "Unflag"), titles("Mark as read", "Unflag"),
        ])
    }
  }

  private func titles(_ read: JSON, _ flag: JSON) -> JSON {
    ["left-to-right": [read], "right-to-left": ["Trash", flag, "More"]]
  }

  @Test("takes new titles from a new configuration without touching a row")
  func configuration() async throws {
    let store = InMemoryEventStore()
    store.add([Self.mail(1, read: true), Self.mail(2)], to: inbox)
    let side = SwipeSide(buttons: [
      SwipeButton(
        action: .toggleRead, color: "#112233", titles: SwipeButton.Titles(on: "On", off: "Off"))
    ])
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      _ = try await views.query(inbox)
      store.add([MailboxEvent.swipeConfigured(SwipeConfiguration(rightToLeft: side))], to: inbox)
      let view = try await views.query(inbox)
      #expect(
        view["rows"]?.array?.map { $0["titles"] } == [
          ["left-to-right": ["Mark as read"], "right-to-left": ["Off"]],
          ["left-to-right": ["Mark as unread"], "right-to-left": ["On"]],
        ])
      #expect(view["swipe"]?["right-to-left"]?["buttons"]?[0]?["color"] == "#112233")
      #expect(view["swipe"]?["left-to-right"]?["buttons"]?[0]?["action"] == "toggle-read")
    }
  }

  @Test("keeps a trashed mail's place, lists the trash, and forgets what is purged")
  func trash() async throws {
    let store = InMemoryEventStore()
    store.add((1...4).map { Self.mail($0) }, to: inbox)
    store.add([MailboxEvent.trashed(MailID(3)), .flagged(MailID(3))], to: inbox)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      var view = try await views.query(inbox)
      #expect(view["rows"]?.integers("mail") == [4, 2, 1])
      #expect(view["counts"] == ["total": 3, "unread": 3, "flagged": 0, "trash": 1])
      let trash = try await views.query(inbox, PageRequest(showsTrash: true))
      #expect(trash["rows"]?.integers("mail") == [3])
      #expect(trash["rows"]?[0]?["indicator"]?["color"] == "#FF950D")
      #expect(trash["counts"] == view["counts"])

      // Below a trashed mail is a place, too.
      store.add([MailboxEvent.reordered(MailID(1), after: MailID(3))], to: inbox)
      store.add([MailboxEvent.restored(MailID(3))], to: inbox)
      view = try await views.query(inbox)
      #expect(view["rows"]?.integers("mail") == [4, 3, 1, 2])
      #expect(view["counts"] == ["total": 4, "unread": 4, "flagged": 1, "trash": 0])

      store.add([MailboxEvent.trashed(MailID(3)), .purged(MailID(3), nil)], to: inbox)
      view = try await views.query(inbox, PageRequest(showsTrash: true))
      #expect(view["rows"] == [])
      #expect(view["counts"] == ["total": 3, "unread": 3, "flagged": 0, "trash": 0])
    }
  }

  @Test("refuses what is no question to it")
  func refusals() async throws {
    let store = InMemoryEventStore()
    store.add([Self.mail(1)], to: inbox)
    store.add(
      [MailboxEvent.swipeConfigured(SwipeConfiguration(leftToRight: SwipeSide()))],
      to: name("mailbox/empty"))
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      let answer = try await views.query(name("mailbox/empty"))
      #expect(answer["rows"] == [])
      let questions: [(ViewQuery, ErrorCode)] = [
        (ViewQuery(view: "threads", stream: inbox), .notFound),
        (ViewQuery(view: "mailbox", stream: name("mailbox/none")), .notFound),
        (ViewQuery(view: "mailbox", stream: nil), .invalid),
        (ViewQuery(view: "mailbox", stream: todo), .invalid),
        (ViewQuery(view: "mailbox", stream: inbox, page: PageRequest(limit: 0)), .invalid),
        (ViewQuery(view: "mailbox", stream: inbox, page: PageRequest(limit: 1001)), .invalid),
        (ViewQuery(view: "mailbox", stream: inbox, page: PageRequest(cursor: "1.2.x")), .invalid),
        (ViewQuery(view: "mailbox", stream: inbox, page: PageRequest(cursor: "")), .invalid),
        (ViewQuery(view: "mailbox", stream: inbox, page: PageRequest(cursor: "1.0.77")), .invalid),
      ]
      for (question, code) in questions {
        let error = await #expect(throws: ServiceError.self) {
          try await views.queries.query(question)
        }
        #expect(error?.code == code)
      }
    }
  }
}
