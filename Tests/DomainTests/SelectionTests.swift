import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

struct SelectionTests {
  private static func mailbox() throws -> Harness<Mailbox> {
    var mailbox = Harness<Mailbox>()
    for _ in 1...8 { try mailbox.send("deliver", KnownMailTests.mail(nil, nil)) }
    try mailbox.send("trash", ["mails": [3, 4]])
    try mailbox.send("purge", ["mail": 4])
    return mailbox
  }

  private static func changed(_ outcome: String) -> [Int] {
    (try? JSON(parsing: outcome))?["results"]?.array?.compactMap { $0["mail"]?.integer } ?? []
  }

  static let ranges: [(String, [ClosedRange<Int>]?)] = [
    ("1", [1...1]), ("1-5,9,20-", [1...5, 9...9, 20...Int.max]), ("5-9,1-3", [1...3, 5...9]),
    ("1-3,4", [1...4]), ("2,1-9", [1...9]), ("7-,3-", [3...Int.max]),
    ("", nil), ("0", nil), ("-3", nil), ("5-4", nil), ("1,", nil), ("1 - 2", nil), ("a", nil),
    ("99999999999999999999", nil), ("+1", nil), ("1--2", nil), ("٣", nil),
  ]

  @Test(arguments: ranges)
  func readsRanges(_ text: String, _ ranges: [ClosedRange<Int>]?) {
    #expect(Selection<MailID>.ranges(text) == ranges)
  }

  @Test func aRangeCoversWhatIsThere() throws {
    var mailbox = try Self.mailbox()
    let outcome = try mailbox.send("flag", ["mails": "2-5,8-"])
    #expect(Self.changed(outcome) == [2, 5, 8])
  }

  @Test func restoreAndPurgeCoverTheTrash() throws {
    var mailbox = try Self.mailbox()
    #expect(Self.changed(try mailbox.send("restore", ["mails": "1-"])) == [3])
    try mailbox.send("trash", ["mails": "1-2"])
    #expect(Self.changed(try mailbox.send("purge", ["all": true])) == [1, 2])
  }

  @Test func allIsWhatIsInSightUnlessABoxIsNamed() throws {
    var mailbox = try Self.mailbox()
    #expect(Self.changed(try mailbox.send("flag", ["all": true])) == [1, 2, 5, 6, 7, 8])
    #expect(Self.changed(try mailbox.send("flag", ["all": true, "in": "trash"])) == [3])
    #expect(mailbox.refusal("flag", ["all": true, "in": "attic"])?.code == .invalid)
  }

  @Test func whatCoversNothingChangesNothing() throws {
    var mailbox = try Self.mailbox()
    try mailbox.send("purge", ["all": true])
    for data in [["all": true], ["mails": "3-4"], ["mails": "900-"]] as [JSON] {
      #expect(try mailbox.send("purge", data) == #"{"results":[]}"#)
    }
    #expect(try mailbox.send("purge", ["all": true, "erase": true]) == #"{"results":[]}"#)
    #expect(try mailbox.send("reorder", ["mails": "900-", "first": true]) == #"{"results":[]}"#)
  }

  static let refusals: [(String, String)] = [
    (#"{"mails":"1-2","mail":1}"#, "invalid: 'mail' must be left out where 'mails' is given"),
    (#"{"mails":[1],"all":true}"#, "invalid: 'all' must be left out where other mails are given"),
    (#"{"thread":1,"all":true}"#, "invalid: 'all' must be left out where other mails are given"),
    (#"{"thread":1,"mail":2}"#, "invalid: 'thread' must be left out where other mails are given"),
    (#"{"all":false}"#, "invalid: 'all' must be true"),
    (#"{"mail":1,"in":"trash"}"#, "invalid: 'in' is for 'all' only"),
    (#"{"all":true,"in":[]}"#, "invalid: 'in' must be a box's name, or a section's number"),
    (
      #"{"mails":"1-x"}"#,
      "invalid: 'mails' must be an array of ids, or ids and ranges as \"1-5,9,20-\""
    ),
  ]

  @Test(arguments: refusals)
  func refusesWhatIsUnclear(_ data: String, _ message: String) {
    #expect(refusal(MailboxCommand.self, "flag", data) == message)
  }

  static let canonical: [(String, String)] = [
    (#"{"mails":"5-9,1-3,4"}"#, #"{"mails":"1-9"}"#),
    (#"{"mails":"3,20-"}"#, #"{"mails":"3,20-"}"#),
    (#"{"in":"trash","all":true}"#, #"{"all":true,"in":"trash"}"#),
    (#"{"thread":7}"#, #"{"thread":7}"#),
  ]

  @Test(arguments: canonical)
  func hasOneForm(_ data: String, _ canonical: String) throws {
    let command = try MailboxCommand("flag", data)
    #expect(command.canonicalText == canonical)
    #expect(try MailboxCommand("flag", canonical) == command)
  }

  @Test func itemsOfASection() throws {
    var list = try Harness(.todo, items: 5)
    try list.send("complete", ["items": "2-3"])
    try list.send("delete", ["all": true, "in": 2])
    #expect(list.events.suffix(2) == [.itemDeleted(ItemID(2)), .itemDeleted(ItemID(3))])
    try list.send("restore", ["all": true])
    try list.send("complete", ["all": true, "in": 1])
    #expect(list.state.order.first(in: 1) == 0)
    #expect(list.refusal("complete", ["all": true, "in": 9])?.code == .notFound)
    #expect(list.refusal("complete", ["all": true, "in": "trash"])?.code == .invalid)
  }

  @Test func aHundredThousandAreOneDecisionAndMoreAreTooMany() throws {
    var mailbox = Mailbox()
    for mail in 1...100_001 {
      mailbox.apply(.delivered(MailID(mail), MailContent(from: "", subject: "", message: "")))
    }
    let context = DecisionContext(
      time: Timestamp(microseconds: 0), command: try #require(CommandID("c")))
    let some = try mailbox.decide(try MailboxCommand("flag", #"{"mails":"2-"}"#), in: context)
    #expect(some.eventCount == 100_000)
    guard case .results(let results) = some.outcome else {
      Issue.record("no results")
      return
    }
    #expect(results.listed.count == 1000 && results.count == 100_000)
    #expect(throws: ServiceError.self) {
      try mailbox.decide(try MailboxCommand("flag", #"{"all":true}"#), in: context)
    }
  }
}
