import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

@Suite("Items that repeat")
struct RecurringItemTests {
  private func time(_ text: String) -> Timestamp { Timestamp(text)! }

  @Test("make the next one when they are completed, in their place")
  func completes() throws {
    var list = try Harness(.todo, items: 2)
    list.time = time("2026-03-10T09:00:00Z")
    #expect(
      try list.send(
        "add", ["text": "Bins", "repeat": "weekly", "due": "2026-03-09T07:00:00+01:00", "after": 1])
        == #"{"item":3}"#)
    #expect(
      list.events.last.map(eventData)
        == #"{"item":3,"section":1,"text":"Bins","after":1,"repeat":"weekly","#
        + #""due":"2026-03-09T06:00:00.000000Z"}"#)
    let before = list.events.count
    #expect(
      try list.send("complete", ["item": 3])
        == #"{"next":{"item":4,"due":"2026-03-16T06:00:00.000000Z"}}"#)
    #expect(
      list.events[before...].map { "\($0.type) \(eventData($0))" } == [
        #"item.completed {"item":3,"section":2,"after":null}"#,
        #"item.added {"item":4,"section":1,"text":"Bins","after":1,"repeat":"weekly","#
          + #""due":"2026-03-16T06:00:00.000000Z"}"#,
      ])
    #expect(list.rows == [1: [1, 4, 2], 2: [3]])
    // Reopening leaves the next one alone.
    try list.send("reopen", ["item": 3])
    #expect(list.rows == [1: [1, 3, 4, 2], 2: []])
    #expect(list.replayed == list.state)
  }

  @Test("tell of the next ones in a bulk, each in its own place")
  func bulk() throws {
    var list = try Harness(.todo, items: 4)
    for item in [1, 2, 4] { try list.send("edit", ["item": .integer(item), "repeat": "daily"]) }
    list.time = time("2026-03-10T09:00:00Z")
    let due = #""due":"2026-03-11T09:00:00.000000Z""#
    #expect(
      try list.send("complete", ["items": [4, 2, 3, 1]])
        == #"{"results":[{"item":4,"changed":true,"next":{"item":5,\#(due)}},"#
        + #"{"item":2,"changed":true,"next":{"item":6,\#(due)}},{"item":3,"changed":true},"#
        + #"{"item":1,"changed":true,"next":{"item":7,\#(due)}}]}"#)
    #expect(list.rows == [1: [7, 6, 5], 2: [4, 2, 3, 1]])
    try list.send("complete", ["items": [5, 6, 7]])
    #expect(list.rows[1] == [10, 9, 8])
  }

  @Test("that are completed where they are have the next one above them")
  func plainList() throws {
    var list = try Harness(.plain, items: 3)
    for item in [2, 3] { try list.send("edit", ["item": .integer(item), "repeat": "daily"]) }
    try list.send("complete", ["items": [3, 2]])
    #expect(list.rows == [1: [1, 5, 2, 4, 3]])
  }

  @Test("keep text, repetition and being fixed; a swipe completes them, too")
  func keeps() throws {
    var list = try Harness(.todo, items: 1)
    try list.send("edit", ["item": 1, "repeat": "monthly", "movable": false, "text": "Rent"])
    list.time = time("2026-01-31T12:00:00Z")
    try list.send("press", ["item": 1, "direction": "right-to-left", "button": 1])
    #expect(list.state.text(of: ItemID(2)) == "Rent")
    #expect(
      list.state.settings[2]
        == ItemSettings(
          movable: false, repetition: .monthly, due: time("2026-02-28T12:00:00Z"), anchorDay: 31))
  }

  @Test("every month keep their day: 31 January, 28 February, 31 March, and also 29 February")
  func anchorDay() throws {
    var list = try Harness(.plain, items: 0)
    list.time = time("2026-01-31T12:00:00Z")
    try list.send("add", ["text": "Rent", "repeat": "monthly", "due": "2026-01-31T08:00:00Z"])
    var dues: [String] = []
    for item in 1...26 {
      try list.send("complete", ["item": .integer(item)])
      let due = try #require(list.state.settings[UInt32(item + 1)]?.due)
      dues.append(String(due.description.prefix(10)))
      list.time = due
    }
    #expect(dues.prefix(4) == ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"])
    #expect(dues[12] == "2027-02-28" && dues[24] == "2028-02-29" && dues[25] == "2028-03-31")
    // A new date is a new day.
    try list.send("edit", ["item": 25, "due": "2028-02-28T08:00:00Z"])
    #expect(list.state.settings[25]?.anchorDay == nil)
    #expect(list.replayed == list.state)
    #expect(try ItemList(snapshotBytes: list.state.snapshotBytes) == list.state)
  }

  @Test("are edited, and null takes away; what is as it was makes no event")
  func edits() throws {
    var list = try Harness(.plain, items: 1)
    #expect(
      try list.written("edit", ["item": 1, "due": "2026-01-01T00:00:00Z", "repeat": "daily"])
        == [#"item.configured {"item":1,"repeat":"daily","due":"2026-01-01T00:00:00.000000Z"}"#])
    #expect(
      try list.written("edit", ["item": 1, "due": "2026-01-01T01:00:00+01:00", "text": "item 1"])
        == [])
    #expect(
      try list.written("edit", ["item": 1, "due": .null, "repeat": "daily", "text": "new"]) == [
        #"item.edited {"item":1,"text":"new"}"#, #"item.configured {"item":1,"due":null}"#,
      ])
    try list.send("edit", ["item": 1, "repeat": .null], id: "e")
    #expect(list.state.settings.isEmpty)
    try list.send("undo", ["command": "e"])
    #expect(list.state.settings == [1: ItemSettings(repetition: .daily)])
  }

  static let invalid: [(String, String)] = [
    (#"{"item":1}"#, "one of 'text', 'movable', 'repeat' and 'due' must be given"),
    (
      #"{"item":1,"repeat":"yearly"}"#,
      "'repeat' must be one of 'daily', 'weekly', 'monthly', or null"
    ),
    (
      #"{"item":1,"due":"tomorrow"}"#,
      "'due' must be an RFC 3339 time of the years 0 to 9999 (UTC), or null"
    ),
    (#"{"item":1,"movable":null}"#, "'movable' must be true or false"),
    (#"{"item":1,"anchorDay":3}"#, "'anchorDay' is not a field of this command"),
  ]

  @Test("refuse what is no setting", arguments: invalid)
  func refuses(_ data: String, _ message: String) {
    #expect(refusal(ListCommand.self, "edit", data) == "invalid: " + message)
  }

  @Test("undo of a completion takes the next one away, and gives the place back")
  func undo() throws {
    var list = try Harness(.todo, items: 3)
    try list.send("edit", ["item": 2, "repeat": "daily"])
    try list.send("complete", ["item": 2], id: "c")
    try list.send("undo", ["command": "c"])
    #expect(list.rows == [1: [1, 2, 3], 2: []])
  }

  @Test(
    "the next of each takes its place, whatever is completed together",
    arguments: SeededRandom.seeds(30))
  func places(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = try Harness(random.chance(oneIn: 3) ? .plain : .todo, items: 8)
    for _ in 0..<30 {
      for item in list.rows[1] ?? [] where random.chance(oneIn: 2) {
        try list.send("edit", ["item": .integer(item), "repeat": "daily"])
      }
      let before = (list.rows[1] ?? []).filter { list.state.states[$0] == [] }
      let chosen = before.shuffled(using: &random).prefix(3)
      if chosen.isEmpty { break }
      let next = list.state.states.count
      let repeating = chosen.filter { list.state.settings[UInt32($0)]?.repetition != nil }
      try list.send("complete", ["items": ids(Array(chosen))])
      // Its place among the open ones has the next one, or nothing.
      let expected = before.compactMap { item -> Int? in
        guard chosen.contains(item) else { return item }
        return repeating.firstIndex(of: item).map { next + $0 }
      }
      let open = (list.rows[1] ?? []).filter { list.state.states[$0] == [] }
      #expect(open == expected, "seed \(seed)")
    }
    #expect(list.replayed == list.state, "seed \(seed)")
  }
}

@Suite("The calendar of items that repeat")
struct RepetitionTests {
  private static func random(_ random: inout SeededRandom) -> Timestamp {
    // The years 1900 to 2100.
    Timestamp(
      microseconds: .random(in: -2_208_988_800_000_000...4_102_444_800_000_000, using: &random))
  }

  private static func timeOfDay(_ time: Timestamp) -> String {
    String(time.description.dropFirst(10))
  }

  @Test(
    "days and weeks: the first whole number of periods behind start and time",
    arguments: SeededRandom.seeds(20))
  func days(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let start = Self.random(&random)
      let time = random.chance(oneIn: 5) ? start : Self.random(&random)
      for (repetition, days) in [(Repetition.daily, 1), (.weekly, 7)] {
        let next = try #require(repetition.next(from: start, day: 1, behind: time))
        let period = Int64(days) * 86_400_000_000
        let distance = next.microseconds - start.microseconds
        #expect(distance > 0 && distance % period == 0, "seed \(seed)")
        #expect(next > time, "seed \(seed)")
        #expect(distance == period || next.microseconds - period <= time.microseconds)
        #expect(Self.timeOfDay(next) == Self.timeOfDay(start))
      }
    }
  }

  @Test(
    "months: the anchor's day or the month's last, in the first month that is behind both",
    arguments: SeededRandom.seeds(20))
  func months(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<300 {
      let start = Self.random(&random)
      let day = Int.random(in: start.dayOfMonth...31, using: &random)
      let time = random.chance(oneIn: 5) ? start : Self.random(&random)
      let next = try #require(Repetition.monthly.next(from: start, day: day, behind: time))
      #expect(next > time && next > start, "seed \(seed)")
      #expect(next.monthNumber > start.monthNumber, "seed \(seed)")
      #expect(Self.timeOfDay(next) == Self.timeOfDay(start))
      let tomorrow = Timestamp(microseconds: next.microseconds + 86_400_000_000)
      #expect(
        next.dayOfMonth == day || next.dayOfMonth < day && tomorrow.dayOfMonth == 1,
        "seed \(seed)")
      // No month before would have done.
      let earlier = start.inMonth(next.monthNumber - 1, day: day)
      #expect(earlier <= time || next.monthNumber - 1 == start.monthNumber, "seed \(seed)")
    }
  }

  @Test("months are counted as the calendar does")
  func monthNumbers() {
    let leap = Timestamp("2000-02-29T23:59:59.999999Z")!
    #expect(leap.dayOfMonth == 29 && leap.monthNumber == 2000 * 12 + 1)
    #expect(leap.inMonth(2100 * 12 + 1, day: 29).description == "2100-02-28T23:59:59.999999Z")
    #expect(leap.inMonth(1, day: 31).description == "0000-02-29T23:59:59.999999Z")
    #expect(Timestamp(microseconds: -1).dayOfMonth == 31)
  }

  @Test("nothing comes behind the year 9999")
  func theEnd() {
    let last = Timestamp("9999-12-31T12:00:00Z")!
    for repetition in Repetition.allCases {
      #expect(repetition.next(from: last, day: 31, behind: last) == nil)
    }
    #expect(ItemSettings(repetition: .daily, due: last).next(completedAt: last) == nil)
  }
}
