import Domain
import EventSourcing
import SwipestreamTesting

/// Random commands, decided by the real aggregates.
struct RandomHistory {
  var random: SeededRandom
  private(set) var mailboxes: [StreamID: Mailbox] = [:]
  private(set) var lists: [StreamID: ItemList] = [:]
  private var commandCount = 0

  static let mailboxNames = [name("mailbox/inbox"), name("mailbox/work/a")]
  static let listNames = [name("list/todo"), name("list/plain")]

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// Sends one command somewhere; many change nothing or are refused.
  mutating func step(_ store: InMemoryEventStore) {
    let index = Int.random(in: 0...1, using: &random)
    if Bool.random(using: &random) {
      let stream = Self.mailboxNames[index]
      let command = mailboxCommand()
      var mailbox = mailboxes[stream, default: Mailbox()]
      store.add(decide(command, in: &mailbox), to: stream)
      mailboxes[stream] = mailbox
    } else {
      let stream = Self.listNames[index]
      var list = lists[stream, default: ItemList()]
      if lists[stream] == nil {
        let template: ListTemplate = index == 0 ? .todo : .plain
        store.add(decide(.create(title: "List \(index)", template), in: &list), to: stream)
      }
      store.add(decide(listCommand(), in: &list), to: stream)
      lists[stream] = list
    }
  }

  private mutating func decide<Rules: Aggregate>(
    _ command: Rules.Command, in state: inout Rules
  ) -> [Rules.Event] {
    commandCount += 1
    // The service's own commands are among them.
    guard let id = CommandID("~c\(commandCount)") else { return [] }
    let context = DecisionContext(time: Timestamp(microseconds: 0), command: id)
    guard let decision = try? state.decide(command, in: context) else { return [] }
    if !decision.events.isEmpty { state.begin(EventCause(command: id, undoes: decision.undoes)) }
    for event in decision.events { state.apply(event) }
    return decision.events
  }

  private mutating func mailboxCommand() -> MailboxCommand {
    switch Int.random(in: 0...20, using: &random) {
    case 18: .move(mails(), to: archive)
    case 19:
      random.chance(oneIn: 3)
        ? .failMove(MailID(id()), to: archive, reason: "full")
        : .completeMove(MailID(id()), to: archive, as: MailID(id()))
    case 20:
      .configureRetention(
        random.chance(oneIn: 3)
          ? nil : TrashRetention(seconds: Int.random(in: 1...99, using: &random)))
    case 10: random.chance(oneIn: 3) ? .unlabel(label(), mails()) : .label(label(), mails())
    case 11: .snooze(until: Timestamp(microseconds: Int64(1_000_000 * id())), mails())
    case 12: random.chance(oneIn: 3) ? .unmute(.mail(MailID(id()))) : .mute(.thread(MailID(id())))
    case 13: .change([.archive, .pin].randomElement(using: &random) ?? .pin, mails())
    case 0...2, 14, 15: .deliver(content())
    case 16: .undo(earlierCommand())
    case 3...6: .change(MailChange.allCases.randomElement(using: &random) ?? .flag, mails())
    case 7, 8: .reorder(mails(), anchor { MailID($0) })
    case 9: .configureSwipe(nil, .sides(configuration(mail: true)))
    default: .configureSwipe(MailID(id()), change(mail: true))
    }
  }

  private mutating func listCommand() -> ListCommand {
    switch Int.random(in: 0...16, using: &random) {
    case 12, 13: .section(sectionCommand())
    case 14: .edit(ItemID(id()), text: nil, itemConfiguration())
    case 15:
      random.chance(oneIn: 2)
        ? .retitle(text("list"))
        : .replace(anySection(), texts: (0..<id() / 3).map { "item \($0)" })
    case 16: .undo(earlierCommand())
    case 0...2: .add(text: text("item"), nil, anchor { ItemID($0) })
    case 3: .edit(ItemID(id()), text: text("new"))
    case 4...7: .change(ItemChange.allCases.randomElement(using: &random) ?? .complete, items())
    case 8, 9: .reorder(items(), section(), anchor { ItemID($0) })
    case 10: .configureSwipe(.section(SectionID(1)), .sides(configuration(mail: false)))
    default: .configureSwipe(.item(ItemID(id())), change(mail: false))
    }
  }

  private mutating func sectionCommand() -> SectionCommand {
    let section = anySection()
    return switch Int.random(in: 0...5, using: &random) {
    case 0, 1:
      .add(
        SectionContent(
          header: text("header"), footer: nil,
          traits: SectionTraits(canReorder: Bool.random(using: &random)), swipe: .todoOpen,
          completedRole: random.chance(oneIn: 4), style: style()), anchor { SectionID($0 % 5 + 1) })
    case 2: .retitle(section, SectionTitles(header: .some(nil), footer: text("footer")))
    case 3: .move(section, anchor { SectionID($0 % 5 + 1) })
    case 4:
      .remove(
        section,
        [nil, .delete, .move(to: anySection())].randomElement(using: &random) ?? .delete)
    default:
      .configure(
        section, SectionTraitsChange(canComplete: Bool.random(using: &random)),
        SectionStyleChange(weight: .some(100 + id() * 40), size: .some(nil)))
    }
  }

  // MARK: Parts

  private mutating func anySection() -> SectionID {
    SectionID(Int.random(in: 1...5, using: &random))
  }

  private mutating func style() -> SectionStyle {
    random.chance(oneIn: 2) ? SectionStyle() : SectionStyle(alignment: .center, size: 12.5)
  }

  private mutating func itemConfiguration() -> ItemConfiguration {
    let due = Timestamp(microseconds: Int64(id()) << 40)
    return ItemConfiguration(
      movable: flag(), repetition: [nil, .some(nil), .daily, .monthly][id() % 4],
      due: [nil, .some(nil), due][id() % 3])
  }

  private mutating func id() -> Int { Int.random(in: 1...20, using: &random) }

  /// One of the last, which may have gone to another stream, or have changed nothing.
  private mutating func earlierCommand() -> CommandID {
    let number = max(commandCount - Int.random(in: 0...30, using: &random), 1)
    guard let id = CommandID("~c\(number)") else { fatalError("no command id") }
    return id
  }

  private mutating func mails() -> Targets<MailID> {
    Targets(set: (0...Int.random(in: 0...1, using: &random)).map { _ in MailID(id()) })
      ?? Targets(MailID(1))
  }

  private mutating func items() -> Targets<ItemID> {
    Targets(set: (0...Int.random(in: 0...1, using: &random)).map { _ in ItemID(id()) })
      ?? Targets(ItemID(1))
  }

  private mutating func section() -> SectionID? {
    random.chance(oneIn: 2) ? nil : SectionID(Int.random(in: 1...2, using: &random))
  }

  private mutating func anchor<ID>(_ make: (Int) -> ID) -> Anchor<ID> {
    switch Int.random(in: 0...3, using: &random) {
    case 0: .after(make(id()))
    case 1: .before(make(id()))
    case 2: .first
    default: .last
    }
  }

  private mutating func text(_ stem: String) -> String {
    let odd = ["\u{0}", "\"quoted\"", "é😀", "back\\slash", "line\nbreak", ""]
    return stem + " \(id()) " + (odd.randomElement(using: &random) ?? "") + "."
  }

  private mutating func content() -> MailContent {
    MailContent(
      from: text("from"), subject: random.chance(oneIn: 2) ? "Re: Tea" : text("subject"),
      message: text("message"),
      date: random.chance(oneIn: 2)
        ? Timestamp(microseconds: Int64.random(in: 0...(1 << 50), using: &random)) : nil,
      messageID: random.chance(oneIn: 2) ? "<\(id())>" : nil,
      references: random.chance(oneIn: 2) ? ["<\(id())>"] : nil, digest: "\(commandCount)",
      read: flag(), flagged: flag(), trashed: random.chance(oneIn: 6) ? true : nil,
      archived: random.chance(oneIn: 6) ? true : nil, pinned: flag(),
      labels: random.chance(oneIn: 4) ? [label()] : nil)
  }

  private mutating func label() -> MailLabel {
    guard let label = MailLabel(["work", "Home", "$x"].randomElement(using: &random) ?? "x") else {
      fatalError("no label")
    }
    return label
  }

  private mutating func flag() -> Bool? { [true, false, nil].randomElement(using: &random) ?? nil }

  private mutating func change(mail: Bool) -> SwipeChange {
    switch Int.random(in: 0...3, using: &random) {
    case 0: .clear
    case 1: .preset(.off)
    default: .sides(configuration(mail: mail))
    }
  }

  private mutating func configuration(mail: Bool) -> SwipeConfiguration {
    let action: SwipeAction = mail ? .toggleFlag : .complete
    let side = SwipeSide(
      buttons: [
        SwipeButton(action: action, color: "#010203", padding: Double(id())),
        SwipeButton(
          action: .more, color: "#0A0B0C", titles: SwipeButton.Titles(on: "On", off: text("Off"))),
      ], bounces: Bool.random(using: &random), bounceRate: 0.5)
    return Bool.random(using: &random)
      ? SwipeConfiguration(leftToRight: side) : SwipeConfiguration(rightToLeft: side)
  }
}

/// Random events that no rules gave: most make no sense where they come.
enum WildEvents {
  static func mailbox(_ random: inout SeededRandom) -> MailboxEvent {
    let mail = MailID(Int.random(in: 1...12, using: &random))
    let other = MailID(Int.random(in: 1...12, using: &random))
    let content = MailContent(
      from: "f", subject: "s", message: "m", pinned: random.chance(oneIn: 2) ? true : nil,
      labels: random.chance(oneIn: 2) ? MailLabel("work").map { [$0] } : nil,
      thread: random.chance(oneIn: 2) ? other : nil)
    guard let label = MailLabel("work") else { fatalError("no label") }
    let time = Timestamp(microseconds: Int64.random(in: 0...9, using: &random))
    return [
      .archived(mail), .unarchived(mail), .pinned(mail), .unpinned(mail), .labeled(mail, label),
      .unlabeled(mail, label), .snoozed(mail, until: time), .unsnoozed(mail, .time),
      .threadMuted(mail), .threadUnmuted(other), .retentionConfigured(nil),
      .retentionConfigured(TrashRetention(seconds: 5)), .moveRequested(mail, to: archive),
      .moved(mail, to: archive, as: other), .moveFailed(mail, to: archive, reason: "full"),
      .delivered(mail, content), .delivered(mail, content), .read(mail), .unread(mail),
      .flagged(mail), .unflagged(mail), .trashed(mail), .restored(mail),
      .purged(mail, nil), .reordered(mail, after: other), .reordered(mail, after: nil),
      .mailSwipeConfigured(mail, SwipeConfiguration(leftToRight: SwipeSide())),
      .mailSwipeCleared(mail),
    ].randomElement(using: &random) ?? .read(mail)
  }

  static func list(_ random: inout SeededRandom) -> ListEvent {
    let item = ItemID(Int.random(in: 1...12, using: &random))
    let place = ItemPlace(
      section: SectionID(Int.random(in: 1...4, using: &random)),
      after: random.chance(oneIn: 2) ? nil : ItemID(Int.random(in: 1...12, using: &random)))
    let content = SectionContent(
      header: "h", footer: nil, traits: SectionTraits(canAdd: false), swipe: .todoOpen,
      completedRole: false)
    let section = SectionID(Int.random(in: 1...4, using: &random))
    return [
      .created(title: "t", template: .plain),
      .sectionAdded(section, content, after: random.chance(oneIn: 2) ? nil : place.section),
      .itemAdded(item, text: "t", place), .itemAdded(item, text: "t", place),
      .itemEdited(item, text: "e"), .itemCompleted(item, place), .itemReopened(item, place),
      .itemDeleted(item), .itemRestored(item, place), .itemPurged(item, erased: false),
      .itemMoved(item, place),
      .swipeConfigured(section, SwipeConfiguration(leftToRight: SwipeSide())),
      .itemSwipeConfigured(item, SwipeConfiguration(rightToLeft: SwipeSide())),
      .itemSwipeCleared(item), sectionEvent(&random), sectionEvent(&random),
      sectionEvent(&random),
      .itemConfigured(item, ItemConfiguration(movable: false, due: Timestamp(microseconds: 7))),
      .itemConfigured(item, ItemConfiguration(movable: true, repetition: .weekly)),
    ].randomElement(using: &random) ?? .itemDeleted(item)
  }

  private static func sectionEvent(_ random: inout SeededRandom) -> ListEvent {
    let section = SectionID(Int.random(in: 1...4, using: &random))
    let after = SectionID.random(in: 0...4, using: &random)
    return [
      .retitled("r"), .sectionRetitled(section, header: nil, footer: "f"),
      .sectionMoved(section, after: after), .sectionMoved(section, after: after),
      .sectionRemoved(section), .sectionRestored(section, after: after),
      .traitsConfigured(section, SectionTraits(canDelete: false)),
      .sectionStyled(section, SectionStyle(weight: 300)), .sectionStyled(section, SectionStyle()),
    ].randomElement(using: &random) ?? .sectionRemoved(section)
  }
}

extension SectionID {
  /// Nil for 0.
  fileprivate static func random(
    in numbers: ClosedRange<Int>, using random: inout SeededRandom
  ) -> SectionID? {
    let number = Int.random(in: numbers, using: &random)
    return number == 0 ? nil : SectionID(number)
  }
}
