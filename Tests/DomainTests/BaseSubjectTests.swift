import SwipestreamTesting
import Testing

@testable import Domain

struct BaseSubjectTests {
  private func base(_ subject: String) -> String {
    String(decoding: BaseSubject(subject).utf8, as: UTF8.self)
  }

  static let subjects: [(String, String)] = [
    ("Tea", "tea"), ("Re: Tea", "tea"), ("RE:tea", "tea"), ("Fwd: Tea", "tea"), ("FW: Tea", "tea"),
    ("re[2]: Tea", "tea"), ("Re: Fwd: re : Tea", "tea"), ("[list] Re: [list] Tea", "tea"),
    ("[a] [b] Tea", "tea"), ("Tea (fwd)", "tea"), ("Tea (fwd) (FWD)  ", "tea"),
    ("[Fwd: Tea]", "tea"), ("[Fwd: [list] Re: Tea (fwd)]", "tea"), ("Re: [Fwd: Tea]", "tea"),
    ("  Tea \t at\n four ", "teaatfour"), ("Tea\u{A0}at\u{2003}four", "teaatfour"),
    ("[list]", "[list]"), ("Re: [list]", "[list]"), ("Re:", ""), ("", ""), ("(fwd)", ""),
    ("Red: Tea", "red:tea"), ("Fwded: Tea", "fwded:tea"), ("[open Tea", "[opentea"),
    ("Tea [list]", "tea[list]"), ("Re Tea", "retea"), ("TÉA Æ 漢字 😀", "téaæ漢字😀"),
    ("[é😀] Re: née", "née"), ("[a[b]] Tea", "[a[b]]tea"), ("Re::Tea", ":tea"),
  ]

  @Test(arguments: subjects)
  func isWhatIsLeft(_ subject: String, _ expected: String) {
    #expect(base(subject) == expected)
  }

  private static let pieces = [
    "re", "Re:", "FWD", "fw:", ":", "[", "]", "[x]", "(fwd)", "[fwd:", " ", "\t", "\u{2028}", "a",
    "é", "e\u{301}", "漢", "😀", "👩‍👩‍👧", "\0", "İ", "ß", "(", ")",
  ]

  private func text(_ random: inout SeededRandom) -> String {
    (0..<Int.random(in: 0...12, using: &random)).map { _ in
      Self.pieces.randomElement(using: &random)!
    }.joined()
  }

  @Test("A base subject is its own base, and has no white space", arguments: SeededRandom.seeds(50))
  func idempotent(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<100 {
      let subject = text(&random)
      let once = base(subject)
      #expect(base(once) == once, "seed \(seed): \(subject)")
      #expect(!once.unicodeScalars.contains { $0.properties.isWhitespace }, "seed \(seed)")
    }
  }

  @Test("Answering and forwarding change no base subject", arguments: SeededRandom.seeds(50))
  func prefixes(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<100 {
      let subject = text(&random)
      let expected = base(subject)
      for prefix in ["Re: ", "RE:", "Fwd: ", "fw :", "[list] Re: ", "re[3]: "] {
        #expect(base(prefix + subject) == expected, "seed \(seed): \(prefix)\(subject)")
      }
      #expect(base(subject + " (fwd)") == expected, "seed \(seed): \(subject)")
      #expect(base(" \t" + subject.uppercased() + "\n") == base(subject.uppercased()))
    }
  }

  @Test func aHostileSubjectTakesNoTime() {
    for piece in ["[a]", "[fwd:", "re:", "(fwd)", "["] {
      let subject = String(repeating: piece, count: 998 / piece.utf8.count)
      #expect(BaseSubject(subject).utf8.count <= subject.utf8.count)
    }
  }
}
