import Testing

@testable import MailFiles

@Suite("mbox")
struct MboxTests {
  private let line = "From ann@example.org Mon Jan  2 03:04:05 2006\n"

  @Test func proseThatBeginsWithFromStaysInItsMail() throws {
    let reading = try mbox(
      line + "Subject: one\n\nHello,\n\nFrom what I hear it works.\n\n"
        + "From Monday 10:30 on we meet.\n\nFrom the start, May 4 2024, it was so.\n\n"
        + "From bob@example.org Mon Jan  2 03:04:05 2006\nwas the line above.\n\n"
        + "inline\nFrom bob@example.org Mon Jan  2 03:04:05 2006\nTo: no blank line\n\n"
        + line + "Subject: two\n\nBye\n")
    #expect(reading.mails.map(\.subject) == ["one", "two"])
    #expect(reading.mails[0].preview.hasSuffix("To: no blank line"))
    #expect(reading.origins == ["box#1", "box#2"])
  }

  @Test(arguments: [
    "From ann@example.org Mon Jan  2 03:04:05 2006", "From - Mon Jan  2 03:04:05 2006", "From - ",
    "From 123@xxx Mon Jan 02 03:04:05 +0000 2006", "From ann Mon, 2 Jan 2006 03:04:05 +0000",
    "From ann@example.org", "From ann Mon Jan  2 03:04 EST 2006 remote from host",
    "From Ann Example <ann@example.org> Tue Feb 30 03:04:05 2006",
  ])
  func separatorForms(_ from: String) throws {
    let one = "\(from)\nSubject: s\n\nbody\n\n"
    #expect(try mbox(one + one + one).mails.count == 3)
  }

  @Test func contentLengthProtectsWhatLooksLikeAMail() throws {
    let body = "look:\n\n" + line + "Subject: inner\n\ninner\n"
    let text =
      line + "Subject: one\nContent-Length: \(body.utf8.count)\n\n" + body + "\n" + line
      + "Subject: two\n\nx\n"
    let reading = try mbox(text)
    #expect(reading.mails.map(\.subject) == ["one", "two"])
    // A length that leads nowhere is not believed.
    let wrong = text.replacing("Content-Length: ", with: "Content-Length: 1")
    #expect(try mbox(wrong).mails.map(\.subject) == ["one", "inner", "two"])
  }

  @Test func flags() throws {
    func flags(_ header: String) throws -> [Bool] {
      let mail = try #require(try mbox(line + header + "\nSubject: s\n\nx\n").mails.first)
      return [mail.isRead, mail.isFlagged, mail.isAnswered, mail.isTrashed]
    }
    #expect(try flags("Status: RO") == [true, false, false, false])
    #expect(try flags("Status: O\nX-Status: FA") == [false, true, true, false])
    #expect(try flags("X-Status: D") == [false, false, false, true])
    #expect(try flags("X-Mozilla-Status: 0007") == [true, true, true, false])
    #expect(try flags("X-Mozilla-Status: 0008") == [false, false, false, true])
    #expect(try flags("Precedence: RFAD") == [false, false, false, false])
  }

  @Test func envelopeDateStandsInForAMissingHeaderOnly() throws {
    #expect(try mbox(line + "Subject: s\n\nx\n").mails[0].date == "2006-01-02T03:04:05.000000Z")
    let broken = try mbox(line + "Date: Fri, 30 Feb 2007 10:00:00 +0000\n\nx\n").mails
    #expect(broken[0].date == nil)
  }

  @Test func quotingIsUndone() throws {
    let mails = try mbox(line + "Subject: s\n\n>From a\n>>From b\n> From c\n").mails
    #expect(mails[0].preview == "From a >From b > From c")
    #expect(mails[0].size == 12 + 8 + 9 + 9)
  }

  @Test func linesLongerThanTheBufferAreWhole() throws {
    let long = String(repeating: "x", count: 900_000)
    let reading = try mbox(line + "Subject: s\n\n\(long)\n\n" + line + "Subject: t\n\ny\n")
    #expect(reading.mails.map(\.size) == [12 + 900_001, 14])
  }

  @Test func aMailOfMoreThanTheLimitIsSkippedAndTheNextIsRead() throws {
    let scratch = try Scratch()
    let path = try scratch.write(
      "box",
      line + "Subject: s\n\n" + String(repeating: "0123456789\n", count: 50) + "\n" + line
        + "Subject: t\n\ny\n")
    let file = try #require(try InputFile(FilePath(path)))
    let splitter = MboxSplitter(file, from: 0, limit: 100)
    let first = try #require(try splitter.next())
    #expect(first.isTooLong && first.bytes.isEmpty && first.size == 12 + 550)
    let second = try #require(try splitter.next())
    #expect(!second.isTooLong && second.bytes == Array("Subject: t\n\ny\n".utf8))
    #expect(try splitter.next() == nil)
  }

  @Test func emptyMailIsSkippedWithItsNumber() throws {
    let reading = try mbox(line + "\n" + line + "Subject: two\n\nx\n")
    #expect(reading.origins == ["box#2"])
    #expect(reading.skipped == ["box#1": "empty message"])
  }

  @Test func carriageReturnsAndByteOrderMark() throws {
    let unix = line + "Subject: one\n\na\n\n" + line + "Subject: two\n\nb\n\n"
    let dos = "\u{FEFF}" + unix.replacing("\n", with: "\r\n")
    #expect(try mbox(dos).mails.map(\.digest) == mbox(unix).mails.map(\.digest))
    #expect(try mbox(dos).mails.map(\.subject) == ["one", "two"])
  }
}
