import EventSourcing
import FastJSON
import Testing

@testable import Domain

/// Each test begins with mails 6 5 4 3 2 1, top first.
struct MailboxReorderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let data: JSON
    let order: [Int]
    let events: [String]
    var trash: [Int] = []
    var testDescription: String { data.text + (trash.isEmpty ? "" : " without \(trash)") }
  }

  static func moved(_ mail: Int, _ after: Int?) -> String {
    #"mail.reordered {"mail":\#(mail),"after":\#(after.map { "\($0)" } ?? "null")}"#
  }

  static let cases = [
    Case(data: ["mail": 3, "first": true], order: [3, 6, 5, 4, 2, 1], events: [moved(3, nil)]),
    Case(data: ["mail": 3, "last": true], order: [6, 5, 4, 2, 1, 3], events: [moved(3, 1)]),
    Case(data: ["mail": 3, "after": 5], order: [6, 5, 3, 4, 2, 1], events: [moved(3, 5)]),
    Case(data: ["mail": 3, "before": 5], order: [6, 3, 5, 4, 2, 1], events: [moved(3, 6)]),
    Case(data: ["mail": 3, "before": 6], order: [3, 6, 5, 4, 2, 1], events: [moved(3, nil)]),
    Case(data: ["mail": 3, "after": 4], order: [6, 5, 4, 3, 2, 1], events: []),
    Case(data: ["mail": 3, "before": 2], order: [6, 5, 4, 3, 2, 1], events: []),
    Case(data: ["mail": 6, "first": true], order: [6, 5, 4, 3, 2, 1], events: []),
    Case(data: ["mail": 1, "last": true], order: [6, 5, 4, 3, 2, 1], events: []),
    Case(
      data: ["mails": [2, 5], "first": true], order: [5, 2, 6, 4, 3, 1],
      events: [moved(5, nil), moved(2, 5)]),
    Case(
      data: ["mails": [1, 6], "after": 4], order: [5, 4, 6, 1, 3, 2],
      events: [moved(6, 4), moved(1, 6)]),
    // 5 is behind 6 already and stays.
    Case(data: ["mails": [2, 5], "after": 6], order: [6, 5, 2, 4, 3, 1], events: [moved(2, 5)]),
    // 6 comes to 4 from above, and 3 is then behind it without a move.
    Case(data: ["mails": [3, 5], "after": 4], order: [6, 4, 5, 3, 2, 1], events: [moved(5, 4)]),
    Case(data: ["mails": [5, 4, 3], "after": 6], order: [6, 5, 4, 3, 2, 1], events: []),
    Case(data: ["mails": [3, 4], "before": 2], order: [6, 5, 4, 3, 2, 1], events: []),
    Case(
      data: ["mails": [6, 5], "last": true], order: [4, 3, 2, 1, 6, 5],
      events: [moved(6, 1), moved(5, 6)]),
    Case(
      data: ["mails": [1, 2, 3, 4, 5, 6], "last": true], order: [6, 5, 4, 3, 2, 1], events: []),
    // Among the visible mails only.
    Case(data: ["mail": 3, "after": 5], order: [6, 5, 3, 2, 1], events: [], trash: [4]),
    Case(
      data: ["mail": 2, "after": 5], order: [6, 5, 2, 3, 1], events: [moved(2, 5)], trash: [4]),
    Case(
      data: ["mail": 1, "before": 3], order: [6, 5, 1, 3, 2], events: [moved(1, 5)], trash: [4]),
    Case(
      data: ["mail": 6, "last": true], order: [5, 4, 3, 6], events: [moved(6, 3)], trash: [1, 2]),
    Case(data: ["mail": 5, "first": true], order: [5, 4, 3, 2, 1], events: [], trash: [6]),
  ]

  @Test(arguments: cases)
  func places(_ testCase: Case) throws {
    var mailbox = try Harness(mails: 6)
    if !testCase.trash.isEmpty { try mailbox.send("trash", ["mails": ids(testCase.trash)]) }
    #expect(try mailbox.written("reorder", testCase.data) == testCase.events)
    #expect(mailbox.visible == testCase.order)
    #expect(mailbox.replayed == mailbox.state)
  }

  @Test func tellsWhatMoved() throws {
    var mailbox = try Harness(mails: 6)
    #expect(try mailbox.send("reorder", ["mail": 3, "first": true]) == "{}")
    #expect(
      try mailbox.send("reorder", ["mails": [6, 3], "first": true])
        == #"{"results":[{"mail":6,"changed":false},{"mail":3,"changed":false}]}"#)
    #expect(
      try mailbox.send("reorder", ["mails": [2, 3], "first": true])
        == #"{"results":[{"mail":2,"changed":true},{"mail":3,"changed":false}]}"#)
  }

  @Test func aTrashedMailComesBackBelowWhatItWasBelow() throws {
    var mailbox = try Harness(mails: 6)
    try mailbox.send("trash", ["mail": 4])
    try mailbox.send("reorder", ["mail": 1, "after": 5])
    #expect(mailbox.state.fullOrder == [6, 5, 1, 4, 3, 2])
    try mailbox.send("restore", ["mail": 4])
    #expect(mailbox.visible == [6, 5, 1, 4, 3, 2])
  }

  @Test func anchors() throws {
    var mailbox = try Harness(mails: 6)
    try mailbox.send("trash", ["mails": [5, 4]])
    try mailbox.send("purge", ["mail": 4])
    for key in ["after", "before"] {
      func refusal(_ anchor: Int) -> ServiceError? {
        mailbox.refusal(
          "reorder", .object([.init("mails", [1, 2]), .init(key, .integer(anchor))]))
      }
      for gone in [5, 4] {
        #expect(
          refusal(gone)
            == ServiceError(.anchorGone, "the anchor, mail \(gone), is not in the inbox any more"))
      }
      #expect(refusal(7) == ServiceError(.invalid, "the anchor, mail 7, never existed"))
      #expect(
        refusal(2)
          == ServiceError(.invalid, "the anchor, mail 2, must not be among the mails moved"))
    }
    #expect(mailbox.refusal("reorder", ["mail": 9, "after": 1])?.code == .notFound)
  }
}
