import SwipestreamTesting
import Testing

@testable import EventSourcing

/// The table of commands under way, beside a dictionary.
struct PendingCommandsTests {
  @Test(arguments: SeededRandom.seeds(8))
  func equalsADictionary(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var table = PendingCommands()
    var model: [UInt64: PendingCommands.Place] = [:]
    // Beyond 32 bits, of which the table keeps the lower half.
    var newest: UInt64 = UInt64(UInt32.max) - 20
    for _ in 0..<20_000 {
      newest += random.chance(oneIn: 50) ? 1 : 0
      // Few keys, so that they are met again.
      let key = CommandKey(rawValue: UInt64.random(in: 1...3000, using: &random))
      let place = table.place(of: key, newest: newest)
      #expect(place == model[key.rawValue])
      if place != nil {
        table.remove(key)
        model[key.rawValue] = nil
      } else if random.chance(oneIn: 3) {
        table.remove(key)
      } else {
        let place = PendingCommands.Place(
          batch: newest - UInt64.random(in: 0...5, using: &random),
          index: Int.random(in: 0...4096, using: &random))
        table.insert(key, place)
        model[key.rawValue] = place
      }
      #expect(table.count == model.count)
    }
    for (key, place) in model {
      #expect(table.place(of: CommandKey(rawValue: key), newest: newest) == place)
    }
  }

  @Test func anIDIsItsCharacters() throws {
    for length in [1, 7, 8, 9, 16, 63, 64] {
      let text = String((0..<length).map { Character(UnicodeScalar(UInt8(33 + $0 % 90))) })
      let id = try #require(CommandID(text))
      #expect(id.description == text)
      #expect(id == CommandID(text) && id.hashValue == CommandID(text)?.hashValue)
      #expect(length == 64 || id != CommandID(text + " "))
    }
    for text in ["", String(repeating: "x", count: 65), "ä", "a\n", "\u{7F}"] {
      #expect(CommandID(text) == nil)
    }
  }
}
