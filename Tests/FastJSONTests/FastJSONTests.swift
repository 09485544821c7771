import FastJSON
import SwipestreamTesting
import Testing

struct FastJSONTests {
  @Test func readsEveryKindOfValue() throws {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    let text =
      #"{"a":1,"b":-2.5,"c":"x\n\u00e9","d":[true,false,null],"e":{},"f":18446744073709551615}"#
    let root = try parser.parse(Array(text.utf8))
    #expect(root["a"]?.integer == 1)
    #expect(root["a"]?.double == 1)
    #expect(root["b"]?.double == -2.5)
    #expect(root["b"]?.integer == nil)
    #expect(root["c"]?.string == "x\né")
    #expect(root["d"]?.elements.map { Array($0).count } == 3)
    #expect(root["e"]?.members.map { Array($0).count } == 0)
    #expect(root["f"]?.largeInteger == .max)
    #expect(root["f"]?.integer == nil)
    #expect(root["missing"] == nil)
    #expect(root.members?.map(\.name.string) == ["a", "b", "c", "d", "e", "f"])
  }

  @Test(arguments: [
    "", " ", "{", "{}{}", "[1,]", "nul", "\"open", "{\"a\" 1}", "1e999", "'a'", "[\u{1}]",
  ])
  func refusesWhatIsNotOneDocument(_ text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
  }

  @Test func refusesInvalidUTF8AndDeepNesting() {
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: [0x22, 0xFF, 0x22]) }
    let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: deep) }
  }

  @Test func aParserGoesOnAfterAnError() throws {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    #expect(throws: JSONSyntaxError.self) { try parser.parse(Array("{".utf8)) }
    #expect(try parser.parse(Array("[7]".utf8)).elements?.first { _ in true }?.integer == 7)
  }

  @Test func writesCommasAndEscapes() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.value(1)
    writer.value("q\"b\\c\u{1}\n\té")
    writer.beginObject()
    writer.endObject()
    writer.endArray()
    writer.key("b")
    writer.null()
    writer.members(ofObject: Array(#"{"c":true}"#.utf8))
    writer.members(ofObject: Array("{}".utf8))
    writer.endObject()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"a":[1,"q\"b\\c\u0001\n\té",{}],"b":null,"c":true}"#)
  }

  @Test func writesTheLimitsOfIntegers() {
    #expect(
      JSON.array([.integer(.min), .integer(.max), 0, 10, -1]).text
        == "[-9223372036854775808,9223372036854775807,0,10,-1]")
  }

  @Test(arguments: SeededRandom.seeds(50))
  func readsWhatItWrites(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let value = Self.value(depth: 4, &random)
    #expect(try JSON(parsing: value.bytes) == value, "seed \(seed)")
  }

  private static func value(depth: Int, _ random: inout SeededRandom) -> JSON {
    switch Int.random(in: 0..<(depth == 0 ? 5 : 7), using: &random) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2: .integer(Int.random(in: .min ... .max, using: &random))
    case 3: .double(Double.random(in: -1e9...1e9, using: &random) + 0.25)
    case 4: .string(text(&random))
    case 5: .array((0..<4).map { _ in value(depth: depth - 1, &random) })
    default: .object((0..<4).map { .init("k\($0)", value(depth: depth - 1, &random)) })
    }
  }

  private static func text(_ random: inout SeededRandom) -> String {
    let scalars = (0..<Int.random(in: 0..<40, using: &random)).compactMap { _ in
      Unicode.Scalar(UInt32.random(in: 0..<0x3000, using: &random))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Strings with whatever must be escaped at any place, beside plain text of any length.
  @Test(arguments: SeededRandom.seeds(8))
  func writtenStringsReadTheSame(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    let scalars: [Unicode.Scalar] = ["\"", "\\", "\n", "\u{1}", "\u{1F}", "\u{7F}", "é", "😀"]
    for _ in 0..<2000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let plain = Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &random))
        text.append(random.chance(oneIn: 9) ? scalars.randomElement(using: &random)! : plain)
      }
      let string = String(text)
      var writer = JSONWriter(capacity: 1)
      writer.beginArray()
      writer.value(string)
      writer.compose(atMost: TextCursor.stringBytesLimit(string.utf8.count)) { out in
        string.withJSONText { out.put(string: $0.utf8) }
      }
      writer.endArray()
      let parsed = try parser.parse(writer.bytes)
      #expect(parsed.elements?.map(\.string) == [string, string])
    }
  }

  @Test func numbersAreWrittenInFull() {
    var numbers: [UInt64] = [0, .max]
    for exponent in 1..<20 {
      let power = (0..<exponent).reduce(UInt64(1)) { number, _ in number * 10 }
      numbers += [power - 1, power, power + 1]
    }
    for number in numbers {
      var writer = JSONWriter()
      writer.value(number)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == String(number))
    }
    var writer = JSONWriter()
    writer.value(Int.min)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == String(Int.min))
  }

  @Test func copiesOfAWriterGoTheirOwnWays() {
    var one = JSONWriter()
    one.value(1)
    var two = one
    one.value(2)
    two.value(3)
    #expect(String(decoding: one.bytes, as: UTF8.self) == "1,2")
    #expect(String(decoding: two.bytes, as: UTF8.self) == "1,3")
  }
}
