import Digests
import Domain
import EventSourcing

/// What the golden files mean: line N of a type's file, whatever its schema, is sample N here.
///
/// A new kind of event does not compile until it has a number in `kind`, and fails until it has
/// samples. Samples may be added at a type's end together with their lines in a new schema's file,
/// never changed: they say what is in the logs of those who use a released version.
enum GoldenSamples {
  static let hardText = "\" \\ / \u{8}\u{C}\n\r\t\0\u{1F}\u{7F}\u{2028} née nu\u{308}ll 漢字 😀"
  private static let earliest = Timestamp(microseconds: -62_167_219_200_000_000)
  private static let latest = Timestamp(microseconds: 253_402_300_799_999_999)

  static let mailbox: [MailboxEvent] =
    mails + changes + erasures + mailboxSwipes + mailSwipes + triage

  private static let mails: [MailboxEvent] = [
    .delivered(MailID(1), MailContent(from: "", subject: "", message: "")),
    .delivered(
      MailID(2),
      MailContent(
        from: "Jules <jules@example.org>", subject: "It all makes sense!", message: "A sentence.",
        date: Timestamp(microseconds: 1_000_000_000_123_456), to: ["a@example.org", "b"], cc: [],
        messageID: "<m@example.org>", inReplyTo: "<i>", references: ["<r1>", "<r2>"],
        digest: "sha256:00", size: 0, read: false, flagged: false, answered: false, trashed: false)),
    .delivered(
      MailID(.max),
      MailContent(
        from: hardText, subject: hardText, message: hardText, date: latest, to: [hardText],
        cc: [hardText, ""], messageID: hardText, inReplyTo: hardText, references: [],
        digest: hardText, size: .max, read: true, flagged: true, answered: true, trashed: true)),
    .delivered(
      MailID(3), MailContent(from: "f", subject: "s", message: "m", date: earliest, cc: ["c"])),
    .delivered(
      MailID(4), MailContent(from: "f", subject: "s", message: "m", messageID: "<m>", read: true)),
    .delivered(
      MailID(5), MailContent(from: "f", subject: "s", message: "m", size: 1 << 40, trashed: true)),
  ]

  private static let changes: [MailboxEvent] =
    [MailID(1), MailID(.max)].flatMap { mail -> [MailboxEvent] in
      [
        .read(mail), .unread(mail), .flagged(mail), .unflagged(mail), .trashed(mail),
        .restored(mail), .purged(mail, nil), .purged(mail, MailErasure(known: nil)),
        .reordered(mail, after: nil), .reordered(mail, after: MailID(2)),
      ]
    }

  private static let erasures: [MailboxEvent] = [
    (Fingerprint(high: 1, low: .max), nil), (nil, Fingerprint(high: 0xA0, low: 7)),
    (Fingerprint(high: 2, low: 3), Fingerprint(high: 4, low: 5)),
  ].map { messageID, digest in
    let salt = Fingerprint(high: 0x0123_4567_89AB_CDEF, low: 0)
    let known = KnownMail(salt: salt, messageID: messageID, digest: digest)
    return .purged(MailID(6), MailErasure(known: known))
  }

  private static let mailboxSwipes: [MailboxEvent] = [
    .swipeConfigured(SwipeConfiguration()),
    .swipeConfigured(
      SwipeConfiguration(
        leftToRight: SwipeSettings.mailboxDefault.leftToRight,
        rightToLeft: SwipeSettings.mailboxDefault.rightToLeft)),
    .swipeConfigured(SwipeConfiguration(leftToRight: everyAction(.static))),
    .swipeConfigured(SwipeConfiguration(rightToLeft: everyAction(.clipCenter))),
    .swipeConfigured(
      SwipeConfiguration(leftToRight: SwipeSide(transition: .drag), rightToLeft: oddNumbers)),
  ]

  private static let mailSwipes: [MailboxEvent] = [
    .mailSwipeConfigured(MailID(1), SwipeConfiguration(rightToLeft: SwipeSide())),
    .mailSwipeConfigured(
      MailID(.max),
      SwipeConfiguration(leftToRight: everyAction(.rotate3D), rightToLeft: oddNumbers)),
    .mailSwipeCleared(MailID(1)), .mailSwipeCleared(MailID(.max)),
  ]

  private static let itemSwipes: [ListEvent] = [
    .itemSwipeConfigured(ItemID(1), SwipeConfiguration(leftToRight: SwipeSide())),
    .itemSwipeConfigured(
      ItemID(.max), SwipeConfiguration(leftToRight: oddNumbers, rightToLeft: everyAction(.drag))),
    .itemSwipeCleared(ItemID(1)), .itemSwipeCleared(ItemID(.max)),
  ]
  private static let later = Timestamp(microseconds: 2_000_000_000_000_001)

  private static var triage: [MailboxEvent] {
    let everyCharacter = String(
      decoding: (0x21...0x7E as ClosedRange<UInt8>).filter {
        MailLabel(String(UnicodeScalar($0))) != nil
      },
      as: UTF8.self)
    let labels = ["$forwarded", "work", everyCharacter].compactMap { MailLabel($0) }.sorted()
    let origin = (try? StreamID("mailbox/a/b+c@d.e")).map {
      MailOrigin(stream: $0, mail: MailID(.max))
    }
    let marks = [MailID(1), MailID(.max)].flatMap { mail -> [MailboxEvent] in
      [
        .archived(mail), .unarchived(mail), .pinned(mail), .unpinned(mail),
        .snoozed(mail, until: later), .snoozed(mail, until: latest), .threadMuted(mail),
        .threadUnmuted(mail),
      ] + labels.flatMap { [.labeled(mail, $0), .unlabeled(mail, $0)] }
        + WakeReason.allCases.map { .unsnoozed(mail, $0) }
    }
    let targets = ["mailbox/a", "mailbox/a/b+c@d.e"].compactMap { try? StreamID($0) }
    let moves = targets.flatMap { target -> [MailboxEvent] in
      [
        .moveRequested(MailID(3), to: target), .moveRequested(MailID(.max), to: target),
        .moved(MailID(3), to: target, as: MailID(.max)),
        .moved(MailID(.max), to: target, as: MailID(1)),
        .moveFailed(MailID(3), to: target, reason: hardText),
      ]
    }
    return marks + moves + [
      .retentionConfigured(nil), .retentionConfigured(TrashRetention("P30D")),
      .retentionConfigured(TrashRetention("P1DT2H3M4S")),
      .retentionConfigured(TrashRetention("PT1S")),
      .delivered(
        MailID(7),
        MailContent(
          from: "f", subject: "s", message: "m", trashed: true, archived: true, pinned: true,
          labels: labels, thread: MailID(2), origin: origin)),
      .delivered(
        MailID(8),
        MailContent(
          from: "f", subject: "s", message: "m", archived: false, pinned: false, labels: [])),
      .delivered(
        MailID(9),
        MailContent(
          from: "f", subject: "s", message: "m", messageID: "<9>", inReplyTo: "<7>",
          archived: true, thread: MailID(7))),
    ]
  }

  static let list: [ListEvent] =
    itemSwipes + [
      .created(title: "To do", template: .todo), .created(title: hardText, template: .plain),
      section(1, header: nil, footer: nil, traits: SectionTraits(), SwipeSettings(), after: nil),
      section(
        2, header: "To do", footer: hardText, traits: SectionTraits(canAdd: false), .todoOpen,
        after: SectionID(1)),
      section(
        .max, header: "", footer: "", isCompleted: true,
        traits: SectionTraits(
          canAdd: false, canComplete: false, canDelete: false, canReorder: false,
          acceptsMoves: false),
        SwipeSettings(leftToRight: everyAction(.rotate3D), rightToLeft: oddNumbers),
        after: SectionID(.max)),
      .swipeConfigured(SectionID(1), SwipeConfiguration()),
      .swipeConfigured(
        SectionID(.max),
        SwipeConfiguration(leftToRight: everyAction(.border), rightToLeft: SwipeSide())),
    ] + [ItemID(1), ItemID(.max)].flatMap(itemEvents) + sectionEvents + settings

  private static let sectionEvents: [ListEvent] =
    [SectionID(1), SectionID(.max)].flatMap { section -> [ListEvent] in
      [
        .sectionRetitled(section, header: nil, footer: hardText),
        .sectionRetitled(section, header: "Later", footer: nil),
        .sectionMoved(section, after: nil), .sectionMoved(section, after: SectionID(2)),
        .sectionRemoved(section), .sectionRestored(section, after: nil),
        .sectionRestored(section, after: SectionID(2)),
        .traitsConfigured(section, SectionTraits(canAdd: false, canReorder: false)),
        .sectionStyled(section, SectionStyle()), .sectionStyled(section, wholeStyle),
        .sectionStyled(section, SectionStyle(headerHeight: 0)),
        .sectionAdded(
          section,
          SectionContent(
            header: "h", footer: nil, traits: SectionTraits(), swipe: SwipeSettings(),
            completedRole: false, style: wholeStyle), after: nil),
      ]
    } + [.retitled("Chores"), .retitled(hardText)]

  private static let wholeStyle = SectionStyle(
    alignment: .natural, weight: 900, size: 0.1 + 16.5, headerHeight: 1000)

  private static let settings: [ListEvent] =
    [
      ItemConfiguration(movable: true), ItemConfiguration(movable: false),
      ItemConfiguration(repetition: .some(nil), due: .some(nil)),
      ItemConfiguration(repetition: .daily, due: earliest),
      ItemConfiguration(repetition: .weekly), ItemConfiguration(due: latest),
      ItemConfiguration(movable: true, repetition: .monthly, due: latest, anchorDay: 31),
    ].map { .itemConfigured(ItemID(1), $0) }
    + [
      ItemSettings(movable: false), ItemSettings(repetition: .daily), ItemSettings(due: earliest),
      ItemSettings(movable: false, repetition: .monthly, due: latest, anchorDay: 30),
    ].map {
      .itemAdded(ItemID(5), text: "Rent", ItemPlace(section: SectionID(1), after: nil), $0)
    }

  private static func itemEvents(_ item: ItemID) -> [ListEvent] {
    let top = ItemPlace(section: SectionID(1), after: nil)
    let below = ItemPlace(section: SectionID(.max), after: ItemID(.max))
    return [
      .itemAdded(item, text: "Buy milk", top), .itemAdded(item, text: hardText, below),
      .itemEdited(item, text: hardText), .itemCompleted(item, top), .itemCompleted(item, below),
      .itemReopened(item, top), .itemReopened(item, below), .itemDeleted(item),
      .itemRestored(item, top), .itemRestored(item, below), .itemPurged(item, erased: false),
      .itemPurged(item, erased: true), .itemMoved(item, top), .itemMoved(item, below),
    ]
  }

  private static func section(
    _ number: Int, header: String?, footer: String?, isCompleted: Bool = false,
    traits: SectionTraits, _ swipe: SwipeSettings, after: SectionID?
  ) -> ListEvent {
    .sectionAdded(
      SectionID(number),
      SectionContent(
        header: header, footer: footer, traits: traits, swipe: swipe, completedRole: isCompleted),
      after: after)
  }

  private static func everyAction(_ transition: SwipeTransition) -> SwipeSide {
    SwipeSide(
      buttons: SwipeAction.allCases.map { SwipeButton(action: $0, color: $0.defaultColor) },
      transition: transition, expansion: SwipeExpansion(button: SwipeAction.allCases.count - 1))
  }

  private static let oddNumbers = SwipeSide(
    buttons: [
      SwipeButton(
        action: .none, color: "#aBcDeF", padding: 0.1,
        titles: SwipeButton.Titles(on: hardText, off: ""), closes: false)
    ],
    openThreshold: 0.30000000000000004, keepsOpen: false, bounces: false,
    bounceRate: .leastNonzeroMagnitude,
    expansion: SwipeExpansion(button: 0, threshold: 1000, fills: true))

  /// Each kind of event, so that none is without samples.
  static func kind(_ event: MailboxEvent) -> Int {
    switch event {
    case .delivered: 0
    case .read: 1
    case .unread: 2
    case .flagged: 3
    case .unflagged: 4
    case .trashed: 5
    case .restored: 6
    case .purged: 7
    case .reordered: 8
    case .swipeConfigured: 9
    case .mailSwipeConfigured: 10
    case .mailSwipeCleared: 11
    case .archived: 12
    case .unarchived: 13
    case .pinned: 14
    case .unpinned: 15
    case .labeled: 16
    case .unlabeled: 17
    case .snoozed: 18
    case .unsnoozed: 19
    case .threadMuted: 20
    case .threadUnmuted: 21
    case .retentionConfigured: 22
    case .moveRequested: 23
    case .moved: 24
    case .moveFailed: 25
    case .lost: -1
    }
  }

  static func kind(_ event: ListEvent) -> Int {
    switch event {
    case .created: 0
    case .sectionAdded: 1
    case .itemAdded: 2
    case .itemEdited: 3
    case .itemCompleted: 4
    case .itemReopened: 5
    case .itemDeleted: 6
    case .itemRestored: 7
    case .itemPurged: 8
    case .itemMoved: 9
    case .swipeConfigured: 10
    case .itemSwipeConfigured: 11
    case .itemSwipeCleared: 12
    case .retitled: 13
    case .sectionRetitled: 14
    case .sectionMoved: 15
    case .sectionRemoved: 16
    case .sectionRestored: 17
    case .traitsConfigured: 18
    case .sectionStyled: 19
    case .itemConfigured: 20
    case .lost: -1
    }
  }
}
