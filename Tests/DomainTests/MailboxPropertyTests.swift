import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// A mailbox as anyone would write it at first: an array, moved about.
struct NaiveMailbox {
  /// Mails in the order of all, top first.
  var order: [Int] = []
  var trashed: Set<Int> = []
  var read: Set<Int> = []
  var flagged: Set<Int> = []
  var archived: Set<Int> = []
  var pinned: Set<Int> = []
  var snoozed: [Int: Timestamp] = [:]
  var labels: [Int: Set<MailLabel>] = [:]
  var muted: Set<Int> = []
  var retention: TrashRetention?

  var visible: [Int] {
    order.filter { !trashed.contains($0) && !archived.contains($0) && snoozed[$0] == nil }
  }

  /// Puts the visible mails `moved` where the anchor says, as a list of rows would.
  func visibleAfterMoving(_ moved: [Int], _ key: String, _ anchor: Int) -> [Int] {
    let movedInOrder = visible.filter(Set(moved).contains)
    var rest = visible.filter { !moved.contains($0) }
    let index =
      switch key {
      case "first": 0
      case "last": rest.count
      case "after": rest.firstIndex(of: anchor)! + 1
      default: rest.firstIndex(of: anchor)!
      }
    rest.insert(contentsOf: movedInOrder, at: index)
    return rest
  }

  mutating func take(_ event: MailboxEvent) {
    switch event {
    case .delivered(let mail, let content):
      order.insert(mail.rawValue, at: 0)
      if content.read == true { read.insert(mail.rawValue) }
      if content.flagged == true { flagged.insert(mail.rawValue) }
      if content.trashed == true { trashed.insert(mail.rawValue) }
      if content.archived == true { archived.insert(mail.rawValue) }
      if content.pinned == true { pinned.insert(mail.rawValue) }
      labels[mail.rawValue] = content.labels.map { Set($0) }
    case .read(let mail): read.insert(mail.rawValue)
    case .unread(let mail): read.remove(mail.rawValue)
    case .flagged(let mail): flagged.insert(mail.rawValue)
    case .unflagged(let mail): flagged.remove(mail.rawValue)
    case .trashed(let mail): trashed.insert(mail.rawValue)
    case .restored(let mail): trashed.remove(mail.rawValue)
    case .purged(let mail, _), .moved(let mail, _, _):
      order.removeAll { $0 == mail.rawValue }
      trashed.remove(mail.rawValue)
      read.remove(mail.rawValue)
      flagged.remove(mail.rawValue)
      archived.remove(mail.rawValue)
      pinned.remove(mail.rawValue)
      snoozed[mail.rawValue] = nil
      labels[mail.rawValue] = nil
    case .archived(let mail): archived.insert(mail.rawValue)
    case .unarchived(let mail): archived.remove(mail.rawValue)
    case .pinned(let mail): pinned.insert(mail.rawValue)
    case .unpinned(let mail): pinned.remove(mail.rawValue)
    case .labeled(let mail, let label): labels[mail.rawValue, default: []].insert(label)
    case .unlabeled(let mail, let label): labels[mail.rawValue]?.remove(label)
    case .snoozed(let mail, let until): snoozed[mail.rawValue] = until
    case .unsnoozed(let mail, _): snoozed[mail.rawValue] = nil
    case .threadMuted(let thread): muted.insert(thread.rawValue)
    case .threadUnmuted(let thread): muted.remove(thread.rawValue)
    case .retentionConfigured(let retention): self.retention = retention
    case .reordered(let mail, let after):
      order.removeAll { $0 == mail.rawValue }
      order.insert(
        mail.rawValue, at: after.map { order.firstIndex(of: $0.rawValue)! + 1 } ?? 0)
    case .swipeConfigured, .mailSwipeConfigured, .mailSwipeCleared, .moveRequested, .moveFailed,
      .lost:
      break
    }
  }
}

struct MailboxPropertyTests {
  @Test(arguments: SeededRandom.seeds(40))
  func anyCommandsDoWhatAPlainArrayDoes(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var mailbox = Harness<Mailbox>()
    var naive = NaiveMailbox()
    for _ in 0..<400 {
      let (name, data) = Self.command(mails: mailbox.state.states.count, &random)
      let before = mailbox.events.count
      let expected = Self.expectedOrder(naive, name, data)
      do {
        try mailbox.send(name, data)
      } catch is ServiceError {
        #expect(mailbox.events.count == before)
        continue
      }
      let events = mailbox.events[before...]
      for event in events { naive.take(event) }
      if let expected { #expect(mailbox.visible == expected, "\(name) \(data.text)") }
      Self.checkAgreement(mailbox, naive)
      // Only what is archived, or wakes, takes more than one.
      let kinds = events.map { "\($0.type) \($0.mail?.rawValue ?? 0)" }
      #expect(Set(kinds).count == kinds.count, "one event of a kind per mail")
    }
    #expect(mailbox.replayed == mailbox.state)
    #expect(mailbox.events.count > 50)
  }

  /// Where a reorder must lead, in rows; nil for other commands and for moves that are refused.
  static func expectedOrder(_ naive: NaiveMailbox, _ name: String, _ data: JSON) -> [Int]? {
    let moved =
      data["mails"]?.array?.compactMap(\.integer) ?? data["mail"]?.integer.map { [$0] } ?? []
    guard name == "reorder", Set(moved).isSubset(of: naive.visible) else { return nil }
    for key in ["first", "last"] where data[key] == true {
      return naive.visibleAfterMoving(moved, key, 0)
    }
    for key in ["after", "before"] {
      if let anchor = data[key]?.integer, naive.visible.contains(anchor), !moved.contains(anchor) {
        return naive.visibleAfterMoving(moved, key, anchor)
      }
    }
    return nil
  }

  static func checkAgreement(_ mailbox: Harness<Mailbox>, _ naive: NaiveMailbox) {
    #expect(mailbox.state.fullOrder == naive.order)
    #expect(mailbox.state.threads.muted == Set(naive.muted.map { UInt32($0) }))
    #expect(mailbox.state.retention == naive.retention)
    for mail in naive.order {
      var state: Mailbox.State = []
      if naive.read.contains(mail) { state.insert(.read) }
      if naive.flagged.contains(mail) { state.insert(.flagged) }
      if naive.trashed.contains(mail) { state.insert(.trashed) }
      if naive.archived.contains(mail) { state.insert(.archived) }
      if naive.pinned.contains(mail) { state.insert(.pinned) }
      if naive.snoozed[mail] != nil { state.insert(.snoozed) }
      #expect(mailbox.state.snoozes.until[UInt32(mail)] == naive.snoozed[mail])
      #expect(Set(mailbox.state.labels.labels(of: UInt32(mail))) == naive.labels[mail] ?? [])
      #expect(mailbox.state.state(MailID(mail)) == state)
    }
    for (above, below) in zip(naive.order, naive.order.dropFirst()) {
      #expect(mailbox.state.order.precedes(UInt32(above), UInt32(below)))
    }
  }

  static func command(mails count: Int, _ random: inout SeededRandom) -> (String, JSON) {
    // Now and then one beyond, or one purged.
    func mail() -> JSON { .integer(.random(in: 1...max(count, 2), using: &random)) }
    func targets() -> [JSON.Member] {
      if random.chance(oneIn: 2) { return [.init("mail", mail())] }
      return [
        .init("mails", .array((0..<Int.random(in: 0...5, using: &random)).map { _ in mail() }))
      ]
    }
    func direction() -> JSON {
      .string(SwipeDirection.allCases.randomElement(using: &random)!.rawValue)
    }
    switch Int.random(in: 0..<28, using: &random) {
    case 20..<23:
      let label = JSON.string(["work", "Home", "$todo"].randomElement(using: &random)!)
      return (
        random.chance(oneIn: 3) ? "unlabel" : "label", .object(targets() + [.init("label", label)])
      )
    case 23, 24:
      let day = Int.random(in: 1...3, using: &random)
      return ("snooze", .object(targets() + [.init("until", .string("2030-01-0\(day)T00:00:00Z"))]))
    case 25:
      let key = random.chance(oneIn: 2) ? "mail" : "thread"
      return (random.chance(oneIn: 3) ? "unmute" : "mute", .object([.init(key, mail())]))
    case 26:
      return ("configure-retention", ["trash": random.chance(oneIn: 2) ? .null : "P30D"])
    case 0..<5, 27: return ("deliver", delivery(&random))
    case 5..<10:
      return (MailChange.allCases.randomElement(using: &random)!.rawValue, .object(targets()))
    case 10..<16:
      let anchor = ["after", "before", "first", "last"].randomElement(using: &random)!
      let value = anchor == "after" || anchor == "before" ? mail() : true
      return ("reorder", .object(targets() + [.init(anchor, value)]))
    case 16, 17:
      let extent = Double.random(in: -0.1...2.5, using: &random)
      let velocity = Double.random(in: -300...300, using: &random)
      return (
        "swipe",
        [
          "mail": mail(), "direction": direction(), "extent": .double(extent),
          "velocity": .double(velocity),
        ]
      )
    case 18:
      let button = JSON.integer(.random(in: 0...3, using: &random))
      return ("press", ["mail": mail(), "direction": direction(), "button": button])
    default:
      return (
        "configure-swipe",
        .object([.init(direction().string!, side(SwipeAction.allCases, &random))])
      )
    }
  }

  static func delivery(_ random: inout SeededRandom) -> JSON {
    var members: [JSON.Member] = [
      .init("from", "someone"), .init("message", "m"),
      .init(
        "subject",
        .string(["é \u{0}\n\"\\", "Tea", "Re: tea"].randomElement(using: &random)!)),
    ]
    if random.chance(oneIn: 2) {
      members.append(.init("messageID", .string("<\(Int.random(in: 0..<40, using: &random))>")))
    }
    if random.chance(oneIn: 2) {
      members.append(.init("digest", .string("\(Int.random(in: 0..<3, using: &random))")))
    }
    for key in ["inReplyTo", "references"] where random.chance(oneIn: 3) {
      let id = JSON.string("<\(Int.random(in: 0..<40, using: &random))>")
      members.append(.init(key, key == "references" ? [id, "<7>"] : id))
    }
    if random.chance(oneIn: 8) { members.append(.init("labels", ["work", "seldom"])) }
    for key in ["read", "flagged", "answered", "trashed", "archived", "pinned"]
    where random.chance(oneIn: 4) {
      members.append(.init(key, .bool(random.chance(oneIn: 2))))
    }
    return .object(members)
  }

  static func side(_ actions: [SwipeAction], _ random: inout SeededRandom) -> JSON {
    let count = Int.random(in: 0...3, using: &random)
    let buttons = (0..<count).map { _ in
      ["action": .string(actions.randomElement(using: &random)!.rawValue)] as JSON
    }
    let index = random.chance(oneIn: 2) ? JSON.null : .integer(.random(in: 0...3, using: &random))
    return [
      "buttons": JSON.array(buttons), "keepsOpen": .bool(random.chance(oneIn: 2)),
      "bounceRate": .double(.random(in: 0...2, using: &random)),
      "expansion": ["button": index, "threshold": .double(.random(in: 0...2, using: &random))],
    ]
  }
}

extension MailboxEvent {
  var mail: MailID? {
    switch self {
    case .delivered(let mail, _), .read(let mail), .unread(let mail), .flagged(let mail),
      .unflagged(let mail), .trashed(let mail), .restored(let mail), .purged(let mail, _),
      .reordered(let mail, _), .mailSwipeConfigured(let mail, _), .mailSwipeCleared(let mail),
      .archived(let mail), .unarchived(let mail), .pinned(let mail),
      .unpinned(let mail), .labeled(let mail, _), .unlabeled(let mail, _), .snoozed(let mail, _),
      .unsnoozed(let mail, _), .moveRequested(let mail, _), .moved(let mail, _, _),
      .moveFailed(let mail, _, _):
      mail
    case .swipeConfigured, .threadMuted, .threadUnmuted, .retentionConfigured, .lost: nil
    }
  }
}
