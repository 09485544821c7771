import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// A mailbox that random commands have brought somewhere, and random choices in it.
struct RandomMailbox {
  var random: SeededRandom
  var mailbox = Harness<Mailbox>()

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    for _ in 0..<15 { _ = mailbox.refusal("deliver", MailboxPropertyTests.delivery(&random)) }
  }

  /// Checks a rule in many states; `check` tells whether a state gave it anything to check.
  static func inManyStates(
    seed: UInt64, _ check: (inout RandomMailbox) throws -> Bool
  ) throws {
    var box = RandomMailbox(seed: seed)
    var checked = 0
    for _ in 0..<40 {
      for _ in 0..<4 { box.step() }
      if try check(&box) { checked += 1 }
    }
    #expect(checked > 0, "no state gave anything to check")
  }

  /// A random command, which may change nothing or be refused.
  mutating func step() {
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      _ = mailbox.refusal("undo", ["command": .string("c\(recentCommand(mailbox.commandCount))")])
    case 1:
      let box = JSON.string((MailBox.allCases.randomElement(using: &random) ?? .inbox).rawValue)
      let all = random.chance(oneIn: 6) ? ["all": true, "in": box] as JSON : nil
      _ = mailbox.refusal(change().name, all ?? ["mails": .string(someRanges())])
    case 2:
      let side = RandomSwipes.json(RandomSwipes.side(RandomSwipes.mailActions, &random))
      let own: [JSON.Member] = [
        .init("left-to-right", side), .init("preset", "selection"), .init("clear", true),
      ]
      guard let mail = one(of: present), let own = own.randomElement(using: &random) else { return }
      _ = mailbox.refusal("configure-swipe", .mail(mail, own))
    default:
      let (name, data) = MailboxPropertyTests.command(
        mails: mailbox.state.states.count, &random)
      _ = mailbox.refusal(name, data)
    }
  }

  private mutating func recentCommand(_ count: Int) -> Int {
    max(count - Int.random(in: 0..<12, using: &random), 1)
  }

  private mutating func someRanges() -> String {
    let first = Int.random(in: 1...mailbox.state.states.count, using: &random)
    return "\(first)-\(first + Int.random(in: 0...3, using: &random)),\(first + 20)-"
  }

  // MARK: Which mails there are

  /// All but purged ones, top first.
  var present: [Int] { mailbox.state.fullOrder }
  var inbox: [Int] { mailbox.visible }
  var trash: [Int] { present.filter { mailbox.state.states[$0].contains(.trashed) } }
  /// In the trash, snoozed or archived.
  var outsideInbox: [Int] { present.filter { !mailbox.state.states[$0].isInInbox } }
  /// Ids of purged mails, and such as are still to come.
  var absent: [Int] {
    (1..<mailbox.state.nextMail.rawValue + 3).filter { mailbox.state.state(MailID($0)) == nil }
  }

  // MARK: Choices

  mutating func some(of ids: [Int], _ most: Int = 5) -> [Int] {
    Array(ids.shuffled(using: &random).prefix(.random(in: 1...most, using: &random)))
  }

  mutating func one(of ids: [Int]) -> Int? { ids.randomElement(using: &random) }

  mutating func shuffled(_ ids: [Int]) -> [Int] { ids.shuffled(using: &random) }

  /// A change that can be taken back, and what it makes of a mail.
  mutating func change() -> (name: String, holds: @Sendable (Mailbox.State) -> Bool) {
    Self.changes.randomElement(using: &random) ?? Self.changes[0]
  }

  static let changes: [(name: String, holds: @Sendable (Mailbox.State) -> Bool)] = [
    ("mark-read", { $0.contains(.read) }), ("mark-unread", { !$0.contains(.read) }),
    ("flag", { $0.contains(.flagged) }), ("unflag", { !$0.contains(.flagged) }),
    ("trash", { $0.contains(.trashed) }), ("restore", { !$0.contains(.trashed) }),
    ("archive", { $0.contains(.archived) && !$0.contains(.snoozed) }),
    ("unarchive", { !$0.contains(.archived) }), ("pin", { $0.contains(.pinned) }),
    ("unpin", { !$0.contains(.pinned) }), ("unsnooze", { !$0.contains(.snoozed) }),
  ]

  /// A delivery of a mail that no other is.
  mutating func newMail() -> JSON {
    .object([
      .init("from", "a"), .init("subject", "b"), .init("message", "c"),
      .init("messageID", .string("<new-\(random.next())>")),
    ])
  }
}

extension Harness<Mailbox> {
  /// What is known of each mail that is there.
  var facts: [Int: Mailbox.State] {
    Dictionary(uniqueKeysWithValues: state.fullOrder.map { ($0, state.states[$0]) })
  }

  /// How the row of a mail is swiped on one side.
  func side(_ direction: SwipeDirection, of mail: Int) -> SwipeSide {
    state.swipeSettings(of: MailID(mail))[direction]
  }
}

extension JSON {
  /// A command's data about several mails.
  static func mails(_ mails: [Int], _ more: Member...) -> JSON {
    .object([.init("mails", ids(mails))] + more)
  }

  static func mail(_ mail: Int, _ more: Member...) -> JSON {
    .object([.init("mail", .integer(mail))] + more)
  }
}

/// What a bulk command tells of its ids.
func results(_ name: String, _ ids: [Int], changed: (Int) -> Bool) -> String {
  JSON.object([
    .init(
      "results",
      .array(ids.map { [name: .integer($0), "changed": .bool(changed($0))] as JSON }))
  ]).text
}
