import Domain
import EventSourcing
import FastJSON
import Testing

struct MailboxCommandTests {
  /// Command, data, and what the error says after `invalid: `.
  static let invalid: [(String, String, String)] = [
    ("flag", "{}", "'mail' or 'mails' must be given"),
    ("flag", #"{"mail":0}"#, "'mail' must be a positive integer"),
    ("flag", #"{"mail":-1}"#, "'mail' must be a positive integer"),
    ("flag", #"{"mail":1.5}"#, "'mail' must be a positive integer"),
    ("flag", #"{"mail":"1"}"#, "'mail' must be a positive integer"),
    ("flag", #"{"mail":18446744073709551615}"#, "'mail' must be a positive integer"),
    ("flag", #"{"mails":[]}"#, "'mails' must not be empty"),
    ("flag", #"{"mails":3}"#, "'mails' must be an array of positive integers"),
    ("flag", #"{"mails":[1,null]}"#, "'mails' must be an array of positive integers"),
    ("flag", #"{"mail":1,"mails":[1]}"#, "'mail' must be left out where 'mails' is given"),
    ("flag", #"{"mial":1}"#, "'mial' is not a field of this command"),
    ("flag", #"{"mail":1,"erase":false}"#, "'erase' is not a field of this command"),
    ("purge", #"{"mail":1,"erase":1}"#, "'erase' must be true or false"),
    (
      "reorder", #"{"mail":1}"#,
      "one of 'after', 'before', 'first' and 'last' must be given"
    ),
    (
      "reorder", #"{"mail":1,"after":2,"last":true}"#,
      "only one of 'after', 'before', 'first' and 'last' may be given"
    ),
    ("reorder", #"{"mail":1,"first":false}"#, "'first' must be true"),
    ("reorder", #"{"mail":1,"last":1}"#, "'last' must be true"),
    ("reorder", #"{"mail":1,"after":null}"#, "'after' must be a positive integer"),
    (
      "swipe", #"{"mail":1,"extent":1}"#,
      "'direction' must be one of 'left-to-right', 'right-to-left'"
    ),
    (
      "swipe", #"{"mail":1,"direction":"left-to-right","extent":-0.1}"#,
      "'extent' must be a number from 0 to 1000"
    ),
    (
      "swipe", #"{"mail":1,"direction":"left-to-right","extent":1000.1}"#,
      "'extent' must be a number from 0 to 1000"
    ),
    (
      "swipe", #"{"mail":1,"direction":"left-to-right"}"#,
      "'extent' must be a number from 0 to 1000"
    ),
    (
      "swipe", #"{"mail":1,"direction":"left-to-right","extent":1,"velocity":"fast"}"#,
      "'velocity' must be a number"
    ),
    (
      "press", #"{"mail":1,"direction":"left-to-right","button":-1}"#,
      "'button' must be an integer, 0 or more"
    ),
    (
      "press", #"{"mail":1,"direction":"left-to-right"}"#, "'button' must be an integer, 0 or more"
    ),
    ("deliver", #"{"subject":"s","message":"m"}"#, "'from' must be a string"),
    ("deliver", #"{"from":"f","message":"m"}"#, "'subject' must be a string"),
    ("deliver", #"{"from":"f","subject":"s"}"#, "'message' must be a string"),
  ]

  @Test(arguments: invalid)
  func refuses(_ name: String, _ data: String, _ message: String) {
    #expect(refusal(MailboxCommand.self, name, data) == "invalid: " + message)
  }

  /// Further fields of `deliver`, and what the error says after `invalid: `.
  static let invalidContent: [(String, String)] = [
    (
      #""date":"yesterday""#,
      "'date' must be an RFC 3339 time of the years 0 to 9999 (UTC), or null"
    ),
    (
      #""date":"0000-01-01T00:00:00+01:00""#,
      "'date' must be an RFC 3339 time of the years 0 to 9999 (UTC), or null"
    ),
    (#""date":5"#, "'date' must be an RFC 3339 time of the years 0 to 9999 (UTC), or null"),
    (#""to":"a@b""#, "'to' must be an array of strings"),
    (#""cc":[1]"#, "'cc' must be an array of strings"),
    (#""messageID":"""#, "'messageID' must be 1 to 998 bytes"),
    (#""inReplyTo":null"#, "'inReplyTo' must be a string"),
    (#""digest":"""#, "'digest' must be 1 to 128 bytes"),
    (#""size":-1"#, "'size' must be an integer, 0 or more"),
    (#""read":"yes""#, "'read' must be true or false"),
    (#""flag":true"#, "'flag' is not a field of this command"),
  ]

  @Test(arguments: invalidContent)
  func refusesContent(_ fields: String, _ message: String) {
    let data = #"{"from":"f","subject":"s","message":"m",\#(fields)}"#
    #expect(refusal(MailboxCommand.self, "deliver", data) == "invalid: " + message)
  }

  @Test func holdsLengths() throws {
    func mail(_ key: String, _ value: JSON) -> String {
      let texts = ["from", "subject", "message"].filter { $0 != key }
      return JSON.object(texts.map { .init($0, "x") } + [.init(key, value)]).text
    }
    func text(_ bytes: Int) -> JSON { .string(String(repeating: "é", count: bytes / 2)) }
    for key in ["from", "subject", "messageID", "inReplyTo"] {
      #expect(refusal(MailboxCommand.self, "deliver", mail(key, text(998))) == nil)
      let message = try #require(refusal(MailboxCommand.self, "deliver", mail(key, text(1000))))
      #expect(message.hasPrefix("invalid: '\(key)' must be "))
    }
    for key in ["to", "cc", "references"] {
      let most = JSON.array([JSON](repeating: "x", count: 1000))
      #expect(refusal(MailboxCommand.self, "deliver", mail(key, most)) == nil)
      for wrong in [JSON.array([JSON](repeating: "x", count: 1001)), .array([text(1000)])] {
        #expect(
          refusal(MailboxCommand.self, "deliver", mail(key, wrong))
            == "invalid: '\(key)' must be at most 1000 strings of at most 998 bytes each")
      }
    }
  }

  /// A preview given, and where it is cut: never inside a character.
  static let previews: [(String, Int)] = [
    (String(repeating: "a", count: 512), 512),
    (String(repeating: "a", count: 5000), 512),
    (String(repeating: "a", count: 511) + "é", 511),
    (String(repeating: "a", count: 510) + "é", 512),
    (String(repeating: "a", count: 509) + "👨‍👩‍👧 and more", 509),
    (String(repeating: "a", count: 511) + "e\u{301}", 511),
    (String(repeating: "a", count: 510) + "e\u{301}x", 510),
    (String(repeating: "a", count: 511) + "\r\nx", 511),
    // One character of more than a thousand bytes: cut between its scalars.
    ("a" + String(repeating: "\u{301}", count: 600), 511),
    (String(repeating: "a", count: 1023) + "é", 512),
  ]

  @Test(arguments: previews)
  func cutsPreviews(_ message: String, _ bytes: Int) throws {
    let data = JSON.object([
      .init("from", ""), .init("subject", ""), .init("message", .string(message)),
    ])
    guard case .deliver(let content) = try MailboxCommand("deliver", data.text) else {
      Issue.record("not a delivery")
      return
    }
    #expect(content.message.utf8.count == bytes)
    #expect(message.utf8.starts(with: content.message.utf8))
  }

  static let canonical: [(String, String, String)] = [
    ("flag", #"{"mail":3}"#, #"{"mail":3}"#),
    ("flag", #"{"mails":[3,1,3,2,1]}"#, #"{"mails":[3,1,2]}"#),
    ("purge", #"{"erase":false,"mails":[3]}"#, #"{"mails":[3]}"#),
    ("purge", #"{"erase":true,"mails":[3]}"#, #"{"mails":[3],"erase":true}"#),
    ("purge", #"{"erase":true,"mail":3}"#, #"{"mail":3,"erase":true}"#),
    ("reorder", #"{"before":4,"mail":3}"#, #"{"mail":3,"before":4}"#),
    ("reorder", #"{"last":true,"mails":[3]}"#, #"{"mails":[3],"last":true}"#),
    (
      "swipe", #"{"extent":1.0,"direction":"right-to-left","mail":2}"#,
      #"{"mail":2,"direction":"right-to-left","extent":1,"velocity":0}"#
    ),
    (
      "swipe", #"{"mail":2,"direction":"right-to-left","extent":0.25,"velocity":-1e3}"#,
      #"{"mail":2,"direction":"right-to-left","extent":0.25,"velocity":-1000}"#
    ),
    (
      "press", #"{"button":0,"mail":2,"direction":"left-to-right"}"#,
      #"{"mail":2,"direction":"left-to-right","button":0}"#
    ),
    (
      "deliver", #"{"message":"m","subject":"s","from":"f"}"#,
      #"{"from":"f","subject":"s","message":"m","date":null}"#
    ),
    (
      "deliver",
      #"{"trashed":false,"answered":true,"flagged":true,"read":true,"size":7,"digest":"d","#
        + #""references":["a","b"],"inReplyTo":"<i>","messageID":"<m>","cc":[],"to":["t"],"#
        + #""date":"2026-01-02 03:04:05+01:00","message":"m","subject":"s\u0000","from":"f"}"#,
      #"{"from":"f","subject":"s\u0000","message":"m","date":"2026-01-02T02:04:05.000000Z","#
        + #""to":["t"],"cc":[],"messageID":"<m>","inReplyTo":"<i>","references":["a","b"],"#
        + #""digest":"d","size":7,"read":true,"flagged":true,"answered":true,"trashed":false}"#
    ),
  ]

  static let triage: [(String, String, String)] = [
    ("label", #"{"label":"Work","mails":[3]}"#, #"{"mails":[3],"label":"work"}"#),
    (
      "snooze", #"{"until":"2030-01-02T03:04:05+01:00","mail":2}"#,
      #"{"mail":2,"until":"2030-01-02T02:04:05.000000Z"}"#
    ),
    ("mute", #"{"thread":4}"#, #"{"thread":4}"#), ("unmute", #"{"mail":4}"#, #"{"mail":4}"#),
    ("configure-retention", #"{"trash":"P4W"}"#, #"{"trash":"P28D"}"#),
    ("configure-retention", #"{"trash":null}"#, #"{"trash":null}"#),
    ("expire", #"{"mails":[2,1,2]}"#, #"{"mails":[2,1]}"#),
    (
      "deliver",
      #"{"labels":["b","A","B"],"pinned":true,"archived":false,"message":"","subject":"","from":""}"#,
      #"{"from":"","subject":"","message":"","date":null,"archived":false,"pinned":true,"#
        + #""labels":["a","b"]}"#
    ),
  ]

  @Test(arguments: canonical + triage)
  func writesOneForm(_ name: String, _ data: String, _ canonical: String) throws {
    let command = try MailboxCommand(name, data)
    #expect(command.canonicalText == canonical)
    #expect(try MailboxCommand(name, canonical) == command)
    #expect(command.name == name)
  }

  @Test(arguments: ["sleep", "add", "Flag", "", "complete"])
  func knowsNoOtherCommand(_ name: String) {
    #expect(
      refusal(MailboxCommand.self, name, #"{"mail":1}"#)
        == "unknown-command: a mailbox has no command '\(name)'")
  }

  @Test func readsIDsByTheHundredThousand() throws {
    let numbers = Array((1...120_000).reversed())
    let data = JSON.object([.init("mails", ids(numbers + numbers))])
    guard case .change(.flag, let targets) = try MailboxCommand("flag", data.text) else {
      Issue.record("not a flag command")
      return
    }
    #expect(targets.ids.map(\.rawValue) == numbers)
  }
}
