import EventSourcing
import FastJSON
import Testing

@testable import Domain

struct SwipeConfigurationTests {
  /// A side's JSON, and what the error says after `invalid: 'left-to-right`.
  static let invalid: [(String, String)] = [
    ("5", "' must be an object"),
    (##"{"buttons":{}}"##, ".buttons' must be an array of at most 32 buttons"),
    (##"{"buttons":[5]}"##, ".buttons[0]' must be an object"),
    (##"{"botons":[]}"##, ".botons' is not a field of this command"),
    (
      ##"{"buttons":[{"action":"flag"},{"action":"flag","colour":"#000000"}]}"##,
      ".buttons[1].colour' is not a field of this command"
    ),
    (
      ##"{"buttons":[{"action":"flag","color":"#00000"}]}"##,
      ".buttons[0].color' must be a colour as '#RRGGBB'"
    ),
    (
      ##"{"buttons":[{"action":"flag","color":"#00000g"}]}"##,
      ".buttons[0].color' must be a colour as '#RRGGBB'"
    ),
    (
      ##"{"buttons":[{"action":"flag","color":"red"}]}"##,
      ".buttons[0].color' must be a colour as '#RRGGBB'"
    ),
    (
      ##"{"buttons":[{"action":"flag","padding":-1}]}"##,
      ".buttons[0].padding' must be a number from 0 to 1000"
    ),
    (
      ##"{"buttons":[{"action":"flag","titles":{"on":"x"}}]}"##,
      ".buttons[0].titles.off' must be a string"
    ),
    (##"{"buttons":[{"action":"flag","closes":1}]}"##, ".buttons[0].closes' must be true or false"),
    (
      ##"{"buttons":[{"action":"complete"}]}"##,
      ".buttons[0].action' must be an action for mails, or 'none'"
    ),
    (
      ##"{"buttons":[{"action":"delete"}]}"##,
      ".buttons[0].action' must be an action for mails, or 'none'"
    ),
    (
      ##"{"buttons":[{"action":"flag"}],"expansion":{"button":1}}"##,
      ".expansion.button' must be the index of one of the 1 buttons, or null"
    ),
    (
      ##"{"expansion":{"button":0}}"##,
      ".expansion.button' must be the index of one of the 0 buttons, or null"
    ),
    (
      ##"{"buttons":[{"action":"flag"}],"expansion":{"button":-1}}"##,
      ".expansion.button' must be the index of one of the 1 buttons, or null"
    ),
    (##"{"expansion":{"fill":true}}"##, ".expansion.fill' is not a field of this command"),
    (##"{"openThreshold":1001}"##, ".openThreshold' must be a number from 0 to 1000"),
    (##"{"bounceRate":null}"##, ".bounceRate' must be a number from 0 to 1000"),
    (
      ##"{"transition":"fade"}"##,
      ".transition' must be one of 'border', 'static', 'drag', 'clip-center', 'rotate-3d'"
    ),
  ]

  @Test(arguments: invalid)
  func refuses(_ side: String, _ message: String) {
    #expect(
      refusal(MailboxCommand.self, "configure-swipe", ##"{"left-to-right":\##(side)}"##)
        == "invalid: 'left-to-right" + message)
  }

  @Test func refusesNothingAtAll() {
    #expect(
      refusal(MailboxCommand.self, "configure-swipe", "{}")
        == "invalid: 'left-to-right', 'right-to-left' or 'preset' must be given")
  }

  @Test(arguments: [
    "toggle-read", "toggle-flag", "mark-read", "mark-unread", "flag", "unflag",
    "trash", "archive",
  ])
  func refusesMailActionsForItems(_ action: String) {
    let data = ##"{"section":1,"right-to-left":{"buttons":[{"action":"\##(action)"}]}}"##
    #expect(
      refusal(ListCommand.self, "configure-swipe", data)
        == "invalid: 'right-to-left.buttons[0].action' must be an action for items, or 'none'")
  }

  @Test func fillsDefaultsIn() throws {
    let command = try MailboxCommand(
      "configure-swipe", ##"{"right-to-left":{"buttons":[{"action":"more"}]},"left-to-right":{}}"##)
    #expect(
      command.canonicalText
        == ##"{"left-to-right":{"buttons":[],"transition":"border","openThreshold":0.5,"##
        + ##""keepsOpen":true,"bounces":true,"bounceRate":1,"##
        + ##""expansion":{"button":null,"threshold":1.3,"fills":false}},"##
        + ##""right-to-left":{"buttons":[{"action":"more","color":"#C8C8CD","padding":10,"##
        + ##""closes":true}],"transition":"border","openThreshold":0.5,"keepsOpen":true,"##
        + ##""bounces":true,"bounceRate":1,"##
        + ##""expansion":{"button":null,"threshold":1.3,"fills":false}}}"##)
    #expect(try MailboxCommand("configure-swipe", command.canonicalText) == command)
  }

  @Test func writesSettings() {
    var writer = JSONWriter()
    SwipeSettings.mailboxDefault.write(to: &writer)
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == ##"{"left-to-right":{"buttons":[{"action":"toggle-read","color":"#007AFF","padding":10,"##
        + ##""closes":true}],"transition":"rotate-3d","openThreshold":0.5,"keepsOpen":true,"##
        + ##""bounces":true,"bounceRate":1,"##
        + ##""expansion":{"button":0,"threshold":2,"fills":false}},"##
        + ##""right-to-left":{"buttons":[{"action":"trash","color":"#FF3B32","padding":15,"##
        + ##""closes":false},{"action":"toggle-flag","color":"#FF950D","padding":15,"closes":true},"##
        + ##"{"action":"more","color":"#C8C8CD","padding":15,"closes":false}],"##
        + ##""transition":"rotate-3d","openThreshold":0.5,"keepsOpen":true,"bounces":true,"##
        + ##""bounceRate":1,"expansion":{"button":0,"threshold":1.1,"fills":true}}}"##)
  }

  @Test func replacesASideWhole() throws {
    var mailbox = Harness<Mailbox>()
    try mailbox.send(
      "configure-swipe", ["left-to-right": ["buttons": [["action": "flag"]], "bounces": false]])
    try mailbox.send("configure-swipe", ["left-to-right": ["buttons": [["action": "unflag"]]]])
    let side = mailbox.state.swipe.leftToRight
    #expect(side.buttons.map(\.action) == [.unflag])
    #expect(side.bounces)
    #expect(mailbox.state.swipe.rightToLeft == SwipeSettings.mailboxDefault.rightToLeft)
  }

  @Test func changesNothingTwice() throws {
    var mailbox = Harness<Mailbox>()
    let data: JSON = ["left-to-right": ["buttons": [["action": "flag"]]]]
    #expect(try mailbox.written("configure-swipe", data).count == 1)
    #expect(try mailbox.written("configure-swipe", data) == [])
  }

  @Test func aFirstConfigurationMakesTheMailbox() throws {
    var mailbox = Harness<Mailbox>()
    var writer = JSONWriter()
    SwipeSettings.mailboxDefault.write(to: &writer)
    let defaults = try JSON(parsing: writer.bytes)
    #expect(try mailbox.written("configure-swipe", defaults).count == 1)
    #expect(try mailbox.written("configure-swipe", defaults) == [])
    #expect(mailbox.refusal("flag", ["mail": 1])?.message == "there is no mail 1")
  }
}
