import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("Pages")
struct PagingTests {
  private let content = MailContent(from: "a", subject: "b", message: "c")

  private func mailPages(
    _ views: Views, box: MailBox? = .inbox, limit: Int, between: (Int) -> Void = { _ in }
  ) async throws -> [Int] {
    var mails: [Int] = []
    var page = PageRequest(box: box, limit: limit)
    var number = 0
    repeat {
      let view = try await views.query(inbox, page)
      let rows = view["rows"]?.integers("mail") ?? []
      #expect(rows.count <= limit)
      mails += rows
      page.cursor = view["cursor"]?.string
      number += 1
      between(number)
    } while page.cursor != nil
    return mails
  }

  @Test("of a mailbox hold every mail once", arguments: [1, 7, 50, 100, 1000])
  func mailbox(limit: Int) async throws {
    let store = InMemoryEventStore()
    store.add((1...100).map { MailboxEvent.delivered(MailID($0), content) }, to: inbox)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      let mails = try await mailPages(views, limit: limit)
      #expect(mails == Array((1...100).reversed()))
      // The fold's pages, by its own cursors.
      var folded: [Int] = []
      var page = PageRequest(limit: limit)
      repeat {
        let view = try JSON(parsing: try StateReader(store: store).state(of: inbox, page: page))
        folded += view["rows"]?.integers("mail") ?? []
        page.cursor = view["cursor"]?.string
      } while page.cursor != nil
      #expect(folded == mails)
    }
  }

  @Test("hold every untouched mail once while others move", arguments: SeededRandom.seeds(6))
  func moves(seed: UInt64) async throws {
    let store = InMemoryEventStore()
    var random = SeededRandom(seed: seed)
    store.add((1...200).map { MailboxEvent.delivered(MailID($0), content) }, to: inbox)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      let mails = try await mailPages(views, limit: 9) { _ in
        for _ in 0..<20 {
          let mail = MailID(2 * Int.random(in: 1...100, using: &random))
          let other = 2 * Int.random(in: 1...100, using: &random)
          let event: MailboxEvent =
            switch Int.random(in: 0...5, using: &random) {
            case 0: .trashed(mail)
            case 1: .purged(mail, nil)
            case 2: .reordered(mail, after: nil)
            default: .reordered(mail, after: MailID(other))
            }
          store.add([event], to: inbox)
        }
      }
      // Only mails of even number were touched.
      #expect(mails.filter { $0 % 2 == 1 } == stride(from: 199, through: 1, by: -2).map { $0 })
    }
  }

  @Test(
    "of pinned and other mails hold every untouched mail once", arguments: SeededRandom.seeds(6))
  func pinned(seed: UInt64) async throws {
    let store = InMemoryEventStore()
    var random = SeededRandom(seed: seed)
    store.add((1...200).map { MailboxEvent.delivered(MailID($0), content) }, to: inbox)
    // Of the untouched ones, those that 6 divides with rest 1 are pinned.
    store.add(
      stride(from: 1, through: 199, by: 6).map { MailboxEvent.pinned(MailID($0)) }, to: inbox)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      for box in [MailBox.inbox, nil] {
        let mails = try await mailPages(views, box: box, limit: 9) { _ in
          for _ in 0..<20 {
            let mail = MailID(2 * Int.random(in: 1...100, using: &random))
            let events: [MailboxEvent] = [
              .archived(mail), .unarchived(mail), .pinned(mail), .unpinned(mail), .trashed(mail),
              .restored(mail), .reordered(mail, after: nil),
              .snoozed(mail, until: Timestamp(microseconds: 0)), .unsnoozed(mail, .time),
            ]
            if let event = events.randomElement(using: &random) { store.add([event], to: inbox) }
          }
        }
        let untouched = (1...200).reversed().filter { $0 % 2 == 1 }
        #expect(
          mails.filter { $0 % 2 == 1 }
            == untouched.filter { $0 % 6 == 1 } + untouched.filter { $0 % 6 != 1 }, "seed \(seed)")
      }
    }
  }

  @Test("go on in place after keys were spread anew, whatever became of the cursor's mail")
  func spread() async throws {
    for fate in [
      nil, MailboxEvent.purged(MailID(51), nil), .reordered(MailID(51), after: nil),
    ] {
      let store = InMemoryEventStore()
      store.add((1...100).map { MailboxEvent.delivered(MailID($0), content) }, to: inbox)
      try await withViews(of: store, in: TemporaryDirectory()) { views in
        var isFirst = true
        let mails = try await mailPages(views, limit: 50) { _ in
          guard isFirst else { return }
          isFirst = false
          // Far from the cursor, so that only the epoch changes.
          for step in 0..<200 {
            store.add([MailboxEvent.reordered(MailID(2 + step % 5), after: MailID(20))], to: inbox)
          }
          if let fate { store.add([fate], to: inbox) }
        }
        #expect(Set(mails).count == 100)
        #expect(Array(mails.prefix(80)) == Array((21...100).reversed()))
      }
    }
  }

  @Test("of a list show every section and every item once", arguments: [1, 2, 3, 5, 100])
  func list(limit: Int) async throws {
    let store = InMemoryEventStore()
    let section = SectionContent(
      header: nil, footer: nil, traits: SectionTraits(), swipe: .todoOpen, completedRole: false)
    // Sections 2 and 5 stay empty.
    var events: [ListEvent] = [.created(title: "t", template: .plain)]
    for number in 1...5 {
      events.append(
        .sectionAdded(SectionID(number), section, after: number == 1 ? nil : SectionID(number - 1)))
    }
    for item in 1...12 {
      events.append(
        .itemAdded(
          ItemID(item), text: "t", ItemPlace(section: SectionID([1, 3, 4][item % 3]), after: nil)))
    }
    store.add(events, to: todo)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      let whole = try await views.query(todo)
      #expect(whole["cursor"]?.isNull == true)
      var items: [[Int]] = []
      var empty: [Int] = []
      var page = PageRequest(limit: limit)
      repeat {
        let view = try await views.query(todo, page)
        let folded = try StateReader(store: store).state(of: todo, page: page)
        #expect(try JSON(parsing: folded).withoutCursor == view.withoutCursor)
        #expect(view.placedItems.count <= limit)
        items += view.placedItems
        empty += (view["sections"]?.array ?? []).filter { $0["items"] == [] }.compactMap {
          $0["section"]?.integer
        }
        page.cursor = view["cursor"]?.string
      } while page.cursor != nil
      #expect(items == whole.placedItems)
      #expect(empty == [2, 5])
    }
  }

  @Test("end before they outgrow a reply")
  func bytes() async throws {
    let store = InMemoryEventStore()
    let section = SectionContent(
      header: nil, footer: nil, traits: SectionTraits(), swipe: .todoOpen, completedRole: false)
    let text = String(repeating: "\u{1}", count: 64 << 10)
    store.add(
      [
        ListEvent.created(title: "t", template: .plain),
        .sectionAdded(SectionID(1), section, after: nil),
      ], to: todo)
    for item in 1...5 {
      store.add(
        [
          ListEvent.itemAdded(
            ItemID(item), text: text, ItemPlace(section: SectionID(1), after: nil))
        ], to: todo)
    }
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      var items: [Int] = []
      var page = PageRequest()
      repeat {
        let bytes = try await views.bytes(todo, page)
        #expect(bytes.count < 1 << 20)
        let view = try JSON(parsing: bytes)
        items += view.placedItems.map { $0[1] }
        page.cursor = view["cursor"]?.string
      } while page.cursor != nil
      #expect(items == [5, 4, 3, 2, 1])
    }
  }
}
