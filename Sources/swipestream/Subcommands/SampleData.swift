internal import FastJSON

/// The sample mailbox and lists, with fixed command ids: loaded twice they are there once.
enum SampleData {
  /// Commands in the order that they are sent in.
  static let commands: [JSON] = mails + todo + cities + teams

  private struct Mail {
    let from: String
    let subject: String
    let message: String
  }

  /// Oldest first, a minute apart from 11:33 on.
  private static let mailbox = [
    Mail(
      from: "Jimmie Dimmick", subject: "The selfish and the tyranny of evil men",
      message: "The good linen is gone, so please bring some of your own tonight."),
    Mail(
      from: "Jules", subject: "It all makes sense!",
      message: "I have been turning it over all through breakfast, and now I see it."),
    Mail(
      from: "Captain Koons", subject: "I know who I am. I'm not a mistake",
      message: "There is a watch that I have carried a long way to hand to you."),
    Mail(
      from: "Marvin", subject: "That show's called a pilot",
      message: "They make one, and if somebody likes it, they make some more of them."),
    Mail(
      from: "Butch Coolidge", subject: "Now we took an oath",
      message: "Pack only what you need, the train leaves at a quarter past eight."),
    Mail(
      from: "Mr Wolf", subject: "My money's in that office, right?",
      message: "I am half an hour away, so I will be there in ten minutes."),
    Mail(
      from: "Sullivan", subject: "Now that we know who you are",
      message:
        "In a comic, you know how you can tell who the arch-villain's going to be?"),
    Mail(
      from: "Ringo", subject: "Do you see any Teletubbies in here?",
      message: "No? Well, that's what you see at a toy store."),
    Mail(
      from: "Marsellus", subject: "The path of the righteous man",
      message: "Look, just because I don't be givin' no man a foot massage don't make it right."),
    Mail(
      from: "Mr Glass", subject: "They called me Mr Glass",
      message: "And I will strike down upon thee with great vengeance and furious anger."),
    Mail(
      from: "Vincent", subject: "You think water moves fast?",
      message: "You should see ice. It moves like it has a mind."),
  ]

  private static var mails: [JSON] {
    mailbox.enumerated().map { index, mail in
      command(
        "mailbox/inbox", "deliver", id: "sample-inbox-\(index + 1)",
        [
          "from": .string(mail.from), "subject": .string(mail.subject),
          "message": .string(mail.message),
          "date": .string("2026-01-01T11:\(33 + index):00Z"),
        ])
    }
  }

  private static var todo: [JSON] {
    list(
      "todo", title: "To do", template: "todo",
      [
        "Water the plants", "Answer the letter from the library", "Buy oranges and bread",
        "Book the train to the sea", "Mend the bicycle",
      ])
  }

  private static var cities: [JSON] {
    list(
      "cities", title: "Cities", template: "plain",
      [
        "Amsterdam", "Buenos Aires", "Cape Town", "Dublin", "Edinburgh", "Florence", "Geneva",
        "Hanoi", "Istanbul", "Jakarta",
      ])
  }

  private static var teams: [JSON] {
    list(
      "teams", title: "Teams", template: "plain",
      [
        "Atlanta Hawks", "Boston Celtics", "Brooklyn Nets", "Charlotte Hornets", "Chicago Bulls",
        "Cleveland Cavaliers", "Dallas Mavericks", "Denver Nuggets", "Detroit Pistons",
        "Golden State Warriors", "Houston Rockets", "Indiana Pacers", "LA Clippers",
        "Los Angeles Lakers", "Memphis Grizzlies", "Miami Heat", "Milwaukee Bucks",
        "Minnesota Timberwolves", "New Orleans Pelicans", "New York Knicks",
        "Oklahoma City Thunder", "Orlando Magic", "Philadelphia 76ers", "Phoenix Suns",
        "Portland Trail Blazers", "Sacramento Kings", "San Antonio Spurs", "Toronto Raptors",
        "Utah Jazz", "Washington Wizards",
      ])
  }

  private static func list(
    _ name: String, title: String, template: String, _ items: [String]
  ) -> [JSON] {
    let stream = "list/\(name)"
    let create = command(
      stream, "create", id: "sample-\(name)",
      ["title": .string(title), "template": .string(template)])
    return [create]
      + items.enumerated().map { index, text in
        command(stream, "add", id: "sample-\(name)-\(index + 1)", ["text": .string(text)])
      }
  }

  private static func command(_ stream: String, _ name: String, id: String, _ data: JSON) -> JSON {
    [
      "op": "command", "id": .string(id), "stream": .string(stream), "command": .string(name),
      "data": data,
    ]
  }
}
