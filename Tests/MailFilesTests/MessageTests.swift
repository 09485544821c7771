import Testing

@testable import MailFiles

@Suite("Message")
struct MessageTests {
  @Test func addressesAndIds() throws {
    let read = try mail(
      """
      From: =?utf-8?q?J=C3=B6rg?= <joerg@example.org>
      To: a@example.org, "Berg, Bo" <bo@example.org>, Team: c@example.org, d@example.org;
      Cc: undisclosed-recipients:;
      Subject: =?iso-8859-1?q?Gr=FC=DFe?=
       und mehr
      Message-ID: <one@example.org>
      In-Reply-To: Your mail <zero@example.org> of today
      References: <m1@example.org> junk
       <m2@example.org>

      Text
      """)
    #expect(read.from == "Jörg")
    #expect(
      read.to == ["a@example.org", "Berg, Bo <bo@example.org>", "c@example.org", "d@example.org"])
    #expect(read.cc == [])
    #expect(read.subject == "Grüße und mehr")
    #expect(read.messageID == "one@example.org")
    #expect(read.inReplyTo == "zero@example.org")
    #expect(read.references == ["m1@example.org", "m2@example.org"])
    #expect(read.preview == "Text")
    #expect(!read.isRead && !read.isFlagged && !read.isAnswered && !read.isTrashed)
  }

  @Test func emptyAndMissingHeaders() throws {
    for text in ["From:\nTo:\nSubject:\nDate:\nMessage-ID: <>\n\nx", "\nx", "X-Other: y\n\nx"] {
      let read = try mail(text)
      #expect(read.from == "" && read.to == [] && read.subject == "", "\(text)")
      #expect(read.date == nil && read.messageID == nil && read.inReplyTo == nil)
      #expect(read.references == [] && read.preview == "x")
    }
  }

  @Test func senderFallsBackToTheAddressThenToTheField() throws {
    #expect(try mail("From: <a@example.org>\n\n").from == "a@example.org")
    #expect(try mail("From: nobody at all; really\n\n").from.contains("nobody"))
  }

  @Test func nulBytesCutNothing() throws {
    let read = try mail("From: a@example.org\nSubject: be\0fore\n\nstart\0middle\0\0end\n")
    #expect(read.subject == "be fore")
    #expect(read.preview == "startmiddleend")
  }

  @Test func bodyMayBeMostlyControlCharacters() throws {
    let body = Array(repeating: UInt8(0), count: 3000) + Array("end".utf8)
    #expect(try mail(Array("Subject: s\n\n".utf8) + body).preview == "end")
  }

  @Test func dirtBeforeTheFirstFieldIsPassedOver() throws {
    #expect(try mail("dirt of some kind\n  Subject: s\nTo: a@b\n\nx").subject == "s")
    #expect(try mail("\n\nSubject: s\nTo: a@b\n\nx").to == ["a@b"])
  }

  @Test func boundaryThatBeginsLikeAnother() throws {
    let read = try mail(
      """
      Subject: s
      Content-Type: multipart/mixed; boundary="b"

      --b
      Content-Type: multipart/alternative; boundary="bb"

      --bb
      Content-Type: text/html

      <p>web</p>
      --bb
      Content-Type: text/plain

      first
      --bbc is text, not a boundary
      --bb--
      --b
      Content-Type: text/plain

      second
      --b--
      """)
    #expect(read.preview == "first --bbc is text, not a boundary")
  }

  @Test func longSubjectIsCutOnACharacterBoundary() throws {
    let subject = try mail("Subject: " + String(repeating: "ü", count: 600) + "\n\nx").subject
    #expect(subject == String(repeating: "ü", count: 499))
    let flags = try mail("Subject: a" + String(repeating: "🇩🇪", count: 200) + "\n\nx").subject
    #expect(flags == "a" + String(repeating: "🇩🇪", count: 124))
    let marks = try mail("Subject: a" + String(repeating: "\u{301}", count: 700) + "\n\nx").subject
    #expect(marks.utf8.count == 997)
  }

  @Test func longPreviewIsCutOnACharacterBoundary() throws {
    let preview = try mail("Subject: s\n\n" + String(repeating: "€\n", count: 600)).preview
    #expect(preview.utf8.count == 511 && preview.hasSuffix(" €"))
  }

  @Test(arguments: [
    ("text/plain", Array("caf\u{e9}".utf8), "café"),
    ("text/plain", [0x63, 0xE9, 0x20, 0x80], "cé €"),
    ("text/plain; charset=iso-8859-1", [0x93, 0x61, 0x94], "“a”"),
    ("text/plain; charset=no-such-set", [0x63, 0xE9], "cé"),
    ("text/plain; charset=utf-8", [0x61, 0xFF, 0x62], "a\u{FFFD}b"),
    ("text/plain; charset=koi8-r", [0xC4, 0xC1], "да"),
    ("text/plain; charset=us-ascii", Array("ž".utf8), "ž"),
    ("text/plain; charset=shift_jis", [0x82, 0xA0, 0x61, 0x81], "あa"),
  ])
  func charsets(_ type: String, _ body: [UInt8], _ text: String) throws {
    let read = try mail(Array("Content-Type: \(type)\n\n".utf8) + body)
    #expect(read.preview == text)
  }

  @Test func undeclaredBytesInHeaders() throws {
    #expect(try mail(Array("Subject: caf".utf8) + [0xE9, 0x0A, 0x0A]).subject == "café")
    #expect(try mail("Subject: café\n\n").subject == "café")
  }

  @Test func controlCharactersBecomeBlanksOrGo() throws {
    let read = try mail("Subject: a\tb\u{7}c\u{1B}d\n\nx\u{8}y\r\n\tz")
    #expect(read.subject == "a bcd")
    #expect(read.preview == "xy z")
  }

  @Test(arguments: [
    ("<p>a</p><p>b &amp; c</p>", "a b & c"), ("x<b>y</b>z", "xyz"), ("1 < 2 > 0", "1 < 2 > 0"),
    ("<STYLE>p{}</STYLE >a<!-- <p>no -->b<script>no()</script>c", "ab c"),
    ("<a title=\"x > y\">z</a>", "z"), ("&#8364;&#xe4;&nbsp;&unknown;&", "€ä &unknown;&"),
    ("<title>T</title>caf&eacute;<br>bar", "café bar"), ("open <a", "open"),
  ])
  func html(_ source: String, _ text: String) throws {
    #expect(try mail("Content-Type: text/html\n\n\(source)").preview == text)
  }

  @Test func embeddedMessageIsTheLastResort() throws {
    let inner = "Content-Type: message/rfc822\n\nSubject: inner\n\ninside\n"
    #expect(try mail("Subject: outer\n" + inner).preview == "inside")
    #expect(try mail("Subject: outer\n" + inner).subject == "outer")
  }

  @Test func hostileStructureIsSurvived() throws {
    let groups = String(repeating: "g:", count: 500_000)
    #expect(try mail("Subject: s\nTo: \(groups)\n\nx").subject == "s")
    let inner = "Content-Type: message/rfc822\n\nTo: \(groups)\n\nx"
    #expect(try mail("Subject: s\n\(inner)").preview == "x")
    let parts = String(repeating: "--b\n\n", count: 60_000)
    let many = "Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n\(parts)"
    #expect(try mail(many).preview == "text")
    let addresses = String(repeating: "a@b,", count: 50_000)
    #expect(try mail("To: \(addresses)\n\nx").to.count == 1000)
  }
}
