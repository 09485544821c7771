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
          "read":false,"flag":false,"pinned":false,"muted":false,"labels":[],"thread":1,"indicator":{"color":"#007AFF","core":null},\
          "titles":{"left-to-right":["Mark as read"],"right-to-left":["Trash","Flag","More"]}}],\
          "swipe":\(String(decoding: swipe.bytes, as: UTF8.self)),\
          "counts":{"total":1,"unread":1,"flagged":0,"trash":0,"archived":0,"snoozed":0},\
          "cursor":null}
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
      #expect(view["counts"] == counts(3, 3, 0, trash: 1))
      let trash = try await views.query(inbox, PageRequest(box: .trash))
      #expect(trash["rows"]?.integers("mail") == [3])
      #expect(trash["rows"]?[0]?["indicator"]?["color"] == "#FF950D")
      #expect(trash["counts"] == view["counts"])

      // Below a trashed mail is a place, too.
      store.add([MailboxEvent.reordered(MailID(1), after: MailID(3))], to: inbox)
      store.add([MailboxEvent.restored(MailID(3))], to: inbox)
      view = try await views.query(inbox)
      #expect(view["rows"]?.integers("mail") == [4, 3, 1, 2])
      #expect(view["counts"] == counts(4, 4, 1, trash: 0))

      store.add([MailboxEvent.trashed(MailID(3)), .purged(MailID(3), nil)], to: inbox)
      view = try await views.query(inbox, PageRequest(box: .trash))
      #expect(view["rows"] == [])
      #expect(view["counts"] == counts(3, 3, 0, trash: 0))
    }
  }

  private func counts(
    _ total: Int, _ unread: Int, _ flagged: Int, trash: Int = 0, archived: Int = 0, snoozed: Int = 0
  ) -> JSON {
    [
      "total": .integer(total), "unread": .integer(unread), "flagged": .integer(flagged),
      "trash": .integer(trash), "archived": .integer(archived), "snoozed": .integer(snoozed),
    ]
  }

  @Test("shows each box by itself, pinned mails first, and all of them together")
  func boxes() async throws {
    let store = InMemoryEventStore()
    store.add((1...9).map { Self.mail($0) }, to: inbox)
    let until = Timestamp(microseconds: 4_000_000_000_000_000)
    store.add(
      [
        MailboxEvent.archived(MailID(2)), .archived(MailID(4)), .pinned(MailID(2)),
        .snoozed(MailID(5), until: until), .archived(MailID(5)), .trashed(MailID(6)),
        .snoozed(MailID(6), until: until), .pinned(MailID(1)), .pinned(MailID(8)),
        .reordered(MailID(1), after: nil),
      ], to: inbox)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      let expected: [(MailBox?, [Int])] = [
        (.inbox, [1, 8, 9, 7, 3]), (.archive, [2, 4]), (.snoozed, [5]), (.trash, [6]),
        (nil, [1, 8, 2, 9, 7, 6, 5, 4, 3]),
      ]
      for (box, mails) in expected {
        let view = try await views.query(inbox, PageRequest(box: box))
        #expect(view["rows"]?.integers("mail") == mails, "\(box?.rawValue ?? "all")")
        #expect(view["counts"] == counts(5, 5, 0, trash: 1, archived: 2, snoozed: 1))
        for row in view["rows"]?.array ?? [] {
          #expect((row["in"] == nil) == (box == .inbox))
          if let box { #expect(row["in"] == nil || row["in"]?.string == box.rawValue) }
        }
      }
      let sleeping = try await views.query(inbox, PageRequest(box: .snoozed))["rows"]?[0]
      #expect(sleeping?["until"] == .string(until.description))
    }
  }

  @Test("is asked for by label and by thread, in one box or in all")
  func filters() async throws {
    let store = InMemoryEventStore()
    let work = try #require(MailLabel("work"))
    func content(_ thread: Int?, _ labels: [MailLabel]? = nil) -> MailContent {
      MailContent(
        from: "f", subject: "s", message: "m", labels: labels, thread: thread.map { MailID($0) })
    }
    store.add(
      [
        MailboxEvent.delivered(MailID(1), content(nil)),
        .delivered(MailID(2), content(1, [work])), .delivered(MailID(3), content(nil)),
        .delivered(MailID(4), content(1)), .labeled(MailID(3), work), .labeled(MailID(4), work),
        .archived(MailID(4)), .threadMuted(MailID(1)), .pinned(MailID(2)),
      ], to: inbox)
    store.add([MailboxEvent.delivered(MailID(1), content(nil, [work]))], to: name("mailbox/other"))
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      let expected: [(PageRequest, [Int])] = [
        (PageRequest(label: work), [2, 3]), (PageRequest(box: nil, label: work), [2, 4, 3]),
        (PageRequest(thread: 1), [2, 1]), (PageRequest(box: nil, thread: 1), [2, 4, 1]),
        (PageRequest(box: .archive, thread: 1), [4]), (PageRequest(thread: 2), []),
        (PageRequest(box: nil, label: work, thread: 1), [2, 4]),
        (PageRequest(label: MailLabel("play")), []), (PageRequest(thread: 1 << 50), []),
      ]
      for (page, mails) in expected {
        let view = try await views.query(inbox, page)
        #expect(view["rows"]?.integers("mail") == mails, "\(page)")
        let muted = view["rows"]?.array?.map { $0["muted"]?.bool ?? false }
        #expect(muted == mails.map { $0 != 3 })
      }
      let one = try await views.query(inbox, PageRequest(label: work, limit: 1))
      #expect(one["rows"]?[0]?["labels"] == ["work"] && one["rows"]?[0]?["thread"] == 1)
      // Gone from the table of labels, too.
      store.add(
        [
          MailboxEvent.unlabeled(MailID(4), work), .trashed(MailID(2)), .purged(MailID(2), nil),
          .threadUnmuted(MailID(1)),
        ], to: inbox)
      let rest = try await views.query(inbox, PageRequest(box: nil, label: work))
      #expect(rest["rows"]?.integers("mail") == [3])
      let thread = try await views.query(inbox, PageRequest(box: nil, thread: 1))
      #expect(thread["rows"]?.array?.map { $0["muted"] } == [false, false])
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
