import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

struct MailLabelTests {
  @Test(arguments: [
    "a", "$Forwarded", "[work", "a/b", "!~", String(repeating: "x", count: 255),
  ])
  func acceptsKeywords(_ text: String) {
    #expect(MailLabel(text)?.text == text.lowercased())
  }

  @Test(arguments: [
    "", " ", "a b", "é", "a\u{7F}", "\t", "(", ")", "{", "]", "%", "*", "\"", "\\", ";",
    String(repeating: "x", count: 256),
  ])
  func refusesEverythingElse(_ text: String) throws {
    #expect(MailLabel(text) == nil)
    var mailbox = try Harness(mails: 1)
    let refusal = mailbox.refusal("label", ["mail": 1, "label": .string(text)])
    #expect(refusal?.code == .invalid)
    #expect(refusal?.message.hasPrefix("'label' must be 1 to 255 printable ASCII") == true)
  }

  @Test(arguments: [
    ("$Seen", "mark-read"), ("$flagged", "flag"), ("$ANSWERED", "deliver"), ("$draft", "drafts"),
  ])
  func systemKeywordsSayWhatToUse(_ label: String, _ advice: String) throws {
    var mailbox = try Harness(mails: 1)
    for command in ["label", "unlabel"] {
      let refusal = mailbox.refusal(command, ["mail": 1, "label": .string(label)])
      #expect(refusal?.code == .invalid)
      #expect(refusal?.message.contains(advice) == true)
    }
    let data: JSON = [
      "from": "f", "subject": "s", "message": "m", "labels": [.string(label)],
    ]
    #expect(mailbox.refusal("deliver", data)?.code == .invalid)
  }

  @Test func changesOnceWhateverTheCase() throws {
    var mailbox = try Harness(mails: 2)
    #expect(
      try mailbox.written("label", ["mails": [1, 2], "label": "Work"]) == [
        #"mail.labeled {"mail":1,"label":"work"}"#, #"mail.labeled {"mail":2,"label":"work"}"#,
      ])
    #expect(try mailbox.written("label", ["mail": 1, "label": "WORK"]) == [])
    #expect(
      try mailbox.send("unlabel", ["mails": [2, 1], "label": "wORK"])
        == #"{"results":[{"mail":2,"changed":true},{"mail":1,"changed":true}]}"#)
    #expect(try mailbox.written("unlabel", ["mail": 1, "label": "work"]) == [])
  }

  @Test func aMailboxHasABoundedNumberOfLabels() throws {
    var mailbox = try Harness(mails: 12)
    for number in 0..<MailLabels.perMailboxLimit {
      let mail = JSON.integer(1 + number / 99)
      try mailbox.send("label", ["mail": mail, "label": .string("l\(number)")])
    }
    let refusal = mailbox.refusal("label", ["mail": 12, "label": "more"])
    #expect(refusal?.code == .rejected)
    #expect(refusal?.message.hasPrefix("the mailbox has 1000 labels already") == true)
    let data: JSON = ["from": "f", "subject": "s", "message": "m", "labels": ["more"]]
    #expect(mailbox.refusal("deliver", data)?.code == .rejected)
    // One that it has is no new one, and one that no mail has any more makes room.
    try mailbox.send("label", ["mail": 12, "label": "l0"])
    try mailbox.send("unlabel", ["mail": 1, "label": "l1"])
    try mailbox.send("label", ["mail": 12, "label": "more"])
  }

  @Test func aMailHasABoundedNumberOfLabels() throws {
    var mailbox = try Harness(mails: 2)
    for number in 0..<MailLabels.perMailLimit {
      try mailbox.send("label", ["mail": 1, "label": .string("l\(number)")])
    }
    let refusal = mailbox.refusal("label", ["mails": [2, 1], "label": "more"])
    #expect(refusal?.code == .rejected && refusal?.ids == [1])
    #expect(try mailbox.written("label", ["mails": [1, 2], "label": "l7"]).count == 1)
  }

  @Test func whatIsPurgedHasNone() throws {
    var mailbox = try Harness(mails: 1)
    try mailbox.send("label", ["mail": 1, "label": "only"])
    try mailbox.send("trash", ["mail": 1])
    try mailbox.send("purge", ["mail": 1])
    #expect(mailbox.state.labels == MailLabels())
  }

  @Test(
    "Sets of labels equal plain sets, whatever way they came about",
    arguments: SeededRandom.seeds(20))
  func sets(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var labels = MailLabels()
    var plain: [UInt32: Set<MailLabel>] = [:]
    let names = (0..<5).compactMap { MailLabel("l\($0)") }
    for _ in 0..<2000 {
      let mail = UInt32.random(in: 1...20, using: &random)
      let label = try #require(names.randomElement(using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        labels.add(label, to: mail)
        plain[mail, default: []].insert(label)
      case 2, 3:
        labels.remove(label, from: mail)
        plain[mail]?.remove(label)
      default:
        labels.set(mail, [])
        plain[mail] = nil
      }
      #expect(labels.labels(of: mail) == (plain[mail] ?? []).sorted(), "seed \(seed)")
    }
    var direct = MailLabels()
    for (mail, set) in plain { direct.set(mail, set.sorted()) }
    #expect(direct == labels, "seed \(seed)")
    for name in names {
      #expect(labels.uses[name] ?? 0 == plain.values.count { $0.contains(name) }, "seed \(seed)")
    }
  }
}
