import EventSourcing
import FastJSON
import Testing

@testable import Domain

/// Mails that sleep, and a trash that empties itself.
struct MailSnoozeTests {
  private static let until: JSON = "2030-01-01T00:00:00Z"

  private func snoozed(_ mails: [Int] = [1]) throws -> Harness<Mailbox> {
    var mailbox = try Harness(mails: 3)
    try mailbox.send("snooze", ["mails": ids(mails), "until": Self.until])
    return mailbox
  }

  @Test func sleepsUntilToldOtherwise() throws {
    var mailbox = try Harness(mails: 1)
    let first = #"mail.snoozed {"mail":1,"until":"2030-01-01T00:00:00.000000Z"}"#
    #expect(try mailbox.written("snooze", ["mail": 1, "until": Self.until]) == [first])
    #expect(try mailbox.written("snooze", ["mail": 1, "until": Self.until]) == [])
    #expect(
      try mailbox.written("snooze", ["mail": 1, "until": "2031-01-01T00:00:00Z"]).count == 1)
    #expect(mailbox.visible == [])
  }

  @Test func timeMustLieAhead() throws {
    var mailbox = try Harness(mails: 1)
    for until in ["1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z"] {
      let refusal = mailbox.refusal("snooze", ["mail": 1, "until": .string(until)])
      #expect(refusal?.code == .invalid)
      #expect(refusal?.message.hasPrefix("'until' must lie in the future") == true)
    }
    #expect(mailbox.refusal("snooze", ["mail": 1, "until": .null])?.code == .invalid)
    #expect(mailbox.refusal("snooze", ["mail": 1])?.code == .invalid)
  }

  @Test func wokenByCommandItIsBackAtItsPlace() throws {
    var mailbox = try snoozed()
    #expect(
      try mailbox.written("unsnooze", ["mail": 1])
        == [#"mail.unsnoozed {"mail":1,"reason":"command"}"#])
    #expect(mailbox.visible == [3, 2, 1])
    #expect(try mailbox.written("unsnooze", ["mail": 1]) == [])
  }

  @Test func wokenByTimeItIsOnTop() throws {
    var mailbox = try snoozed()
    let before = mailbox.events.count
    try mailbox.send("wake", ["mail": 1, "until": Self.until], id: "~wake-1")
    #expect(
      mailbox.events[before...].map { "\($0.type) \(eventData($0))" } == [
        #"mail.unsnoozed {"mail":1,"reason":"time"}"#, #"mail.reordered {"mail":1,"after":null}"#,
      ])
    #expect(mailbox.visible == [1, 3, 2])
    // Again it does nothing.
    try mailbox.send("wake", ["mail": 1, "until": Self.until], id: "~wake-2")
    #expect(mailbox.events.count == before + 2)
  }

  @Test(arguments: ["unsnooze", "snooze", "purge"])
  func onlyWhatStillSleepsUntilThenWakes(_ command: String) throws {
    var mailbox = try snoozed()
    switch command {
    case "snooze": try mailbox.send("snooze", ["mail": 1, "until": "2031-01-01T00:00:00Z"])
    case "purge":
      try mailbox.send("trash", ["mail": 1])
      try mailbox.send("purge", ["mail": 1])
    default: try mailbox.send(command, ["mail": 1])
    }
    let before = mailbox.events.count
    try mailbox.send("wake", ["mail": 1, "until": Self.until], id: "~wake")
    try mailbox.send("wake", ["mail": 99, "until": Self.until], id: "~wake-99")
    #expect(mailbox.events.count == before)
  }

  @Test func anArchivedMailWakesIntoTheInbox() throws {
    var mailbox = try Harness(mails: 2)
    try mailbox.send("archive", ["mail": 1])
    try mailbox.send("snooze", ["mail": 1, "until": Self.until])
    try mailbox.send("wake", ["mail": 1, "until": Self.until], id: "~wake")
    #expect(mailbox.visible == [1, 2])
    // By command it is back where it was.
    try mailbox.send("archive", ["mail": 1])
    try mailbox.send("snooze", ["mail": 1, "until": Self.until])
    try mailbox.send("unsnooze", ["mail": 1])
    #expect(mailbox.state.state(MailID(1))?.box == .archive)
  }

  @Test func inTheTrashItStopsSleepingAndStays() throws {
    var mailbox = try snoozed()
    try mailbox.send("trash", ["mail": 1])
    let before = mailbox.events.count
    try mailbox.send("wake", ["mail": 1, "until": Self.until], id: "~wake")
    #expect(mailbox.events.count == before + 1)
    #expect(mailbox.state.state(MailID(1)) == [.trashed])
  }

  @Test func aReplyWakesItsThreadAndComesOnTop() throws {
    var mailbox = Harness<Mailbox>()
    for (id, parent) in [("a", nil), ("b", "a"), ("c", "b"), ("x", nil)] as [(String, String?)] {
      let subject = id == "x" ? "Other" : "Tea"
      try mailbox.send("deliver", MailThreadTests.mail(id, subject, replyTo: parent))
    }
    try mailbox.send("snooze", ["all": true, "until": Self.until])
    try mailbox.send("trash", ["mail": 2])
    let events = try mailbox.written("deliver", MailThreadTests.mail("d", replyTo: "c"))
    #expect(
      events.dropLast() == [
        #"mail.unsnoozed {"mail":1,"reason":"reply"}"#, #"mail.reordered {"mail":1,"after":null}"#,
        #"mail.unsnoozed {"mail":3,"reason":"reply"}"#, #"mail.reordered {"mail":3,"after":null}"#,
      ])
    #expect(mailbox.visible == [5, 3, 1])
  }

  @Test(arguments: ["mute", "trashed", "archived"])
  func aReplyThatNobodyIsToSeeWakesNothing(_ how: String) throws {
    var mailbox = Harness<Mailbox>()
    try mailbox.send("deliver", MailThreadTests.mail("a"))
    try mailbox.send("snooze", ["mail": 1, "until": Self.until])
    var reply = MailThreadTests.mail("b", replyTo: "a")
    if how == "mute" {
      try mailbox.send("mute", ["thread": 1])
    } else {
      reply = .object((reply.members ?? []) + [.init(how, true)])
    }
    #expect(try mailbox.written("deliver", reply).count == 1)
    #expect(mailbox.visible == [])
  }

  @Test(arguments: ["wake", "expire"])
  func aClientHasNoCommandsOfTheService(_ name: String) throws {
    var mailbox = try snoozed()
    let data: JSON = name == "wake" ? ["mail": 1, "until": Self.until] : ["mails": [1]]
    #expect(
      mailbox.refusal(name, data)
        == ServiceError(.unknownCommand, "a mailbox has no command '\(name)'"))
  }

  // MARK: Retention

  @Test(arguments: [
    ("P30D", 30 * 86_400), ("P4W", 28 * 86_400), ("PT1S", 1), ("P1DT12H", 36 * 3600),
    ("PT90M", 5400), ("P1DT2H3M4S", 86_400 + 7384), ("P36500D", 36_500 * 86_400),
    ("P007D", 604_800),
  ])
  func durationsOfFixedLength(_ text: String, _ seconds: Int) {
    let retention = TrashRetention(text)
    #expect(retention?.seconds == seconds)
    #expect(TrashRetention(retention?.description ?? "") == retention)
  }

  @Test(arguments: [
    "", "P", "PT", "30D", "P30", "P1M", "P1Y", "P1Y2D", "P0D", "PT0S", "P-1D", "P1.5D", "PD",
    "P1DT",
    "PT1D", "P1H", "PT1M1H", "P1W1D", "p30d", "P36501D", "P99999999999D", "P1D ", "P1D1D", "PTT1S",
    "P１D",
  ])
  func everythingElseIsInvalid(_ text: String) throws {
    #expect(TrashRetention(text) == nil)
    var mailbox = try Harness(mails: 1)
    #expect(mailbox.refusal("configure-retention", ["trash": .string(text)])?.code == .invalid)
  }

  @Test func isOffUntilConfigured() throws {
    var mailbox = try Harness(mails: 3)
    try mailbox.send("trash", ["mails": [1, 2]])
    #expect(try mailbox.written("configure-retention", ["trash": .null]) == [])
    try mailbox.send("expire", ["mails": [1]], id: "~expire-0")
    #expect(mailbox.state.state(MailID(1)) != nil)
    #expect(
      try mailbox.written("configure-retention", ["trash": "P30D"])
        == [#"mailbox.retention-configured {"trash":"P30D"}"#])
    #expect(try mailbox.written("configure-retention", ["trash": "PT720H"]) == [])
    #expect(mailbox.refusal("configure-retention", [:])?.code == .invalid)
  }

  @Test func purgesWhatIsStillInTheTrash() throws {
    var mailbox = try Harness(mails: 4)
    try mailbox.send("configure-retention", ["trash": "P30D"])
    try mailbox.send("trash", ["mails": [1, 2, 3]])
    try mailbox.send("restore", ["mail": 2])
    try mailbox.send("purge", ["mail": 3])
    #expect(
      try mailbox.send("expire", ["mails": [1, 2, 3, 4, 99]], id: "~expire-1")
        == #"{"results":[{"mail":1,"changed":true},{"mail":2,"changed":false},"#
        + #"{"mail":3,"changed":false},{"mail":4,"changed":false},{"mail":99,"changed":false}]}"#)
    #expect(mailbox.events.last == .purged(MailID(1), nil))
  }

  // MARK: Taking back

  @Test func allOfItCanBeTakenBack() throws {
    var mailbox = try snoozed()
    try mailbox.send("configure-retention", ["trash": "P30D"])
    let commands: [(String, JSON)] = [
      ("archive", ["mail": 1]), ("pin", ["mail": 2]), ("label", ["mails": [1, 2], "label": "x"]),
      ("snooze", ["mail": 1, "until": "2031-01-01T00:00:00Z"]), ("unsnooze", ["mail": 1]),
      ("mute", ["thread": 2]), ("configure-retention", ["trash": .null]),
    ]
    for (name, data) in commands {
      let before = mailbox.state
      if name == "unsnooze" {
        try mailbox.send("snooze", ["mail": 1, "until": "2032-01-01T00:00:00Z"])
      }
      let middle = mailbox.state
      try mailbox.send(name, data, id: "do-\(name)")
      try mailbox.send("undo", ["command": .string("do-\(name)")])
      #expect(mailbox.state.states == middle.states, "\(name)")
      #expect(mailbox.state.labels == middle.labels && mailbox.state.snoozes == middle.snoozes)
      #expect(mailbox.state.threads == middle.threads, "\(name)")
      #expect(mailbox.state.retention == middle.retention, "\(name)")
      #expect(before.order == mailbox.state.order, "\(name)")
      #expect(try Mailbox(snapshotBytes: mailbox.state.snapshotBytes) == mailbox.state)
    }
  }
}
