import Foundation
import Testing

@testable import MailFiles

@Suite("Real mail", .enabled(if: Corpus.isPresent))
struct CorpusTests {
  /// Counts from the collections' summaries and offset lists.
  @Test(arguments: [
    ("mimekit/mbox/content-length.mbox.txt", 29), ("mimekit/mbox/issue1189.mbox.txt", 4),
    ("mime4j-mbox/test-1/mbox.rlug", 5), ("mimekit/messages/multipart-digest.txt", 1),
  ])
  func mboxCount(_ path: String, _ count: Int) throws {
    let reading = try Corpus.read(path)
    #expect(reading.mails.count == count)
    #expect(reading.skipped.isEmpty)
    #expect(reading.origins.last?.hasSuffix("#\(count)") == true)
  }

  /// Counts of `find -type f`, less the one file that says itself that it is no mail.
  @Test(arguments: [
    ("mail-ruby/attachment_emails", 14, 0), ("mail-ruby/error_emails", 28, 0),
    ("mail-ruby/mime_emails", 15, 0), ("mail-ruby/multi_charset", 6, 0),
    ("mail-ruby/multipart_report_emails", 5, 0), ("mail-ruby/plain_emails", 20, 0),
    ("mail-ruby/rfc2822", 14, 0), ("mail-ruby/rfc6532", 1, 0), ("enmime/low-quality", 12, 0),
    ("enmime/mail", 41, 1), ("mimekit/messages", 32, 0),
  ])
  func folderCount(_ path: String, _ mails: Int, _ skipped: Int) throws {
    let reading = try Corpus.read(path)
    #expect(reading.mails.count == mails)
    #expect(reading.skipped.count == skipped, "\(reading.skipped)")
  }

  private struct Offsets: Decodable {
    let beginOffset: Int
    let endOffset: Int
  }

  /// The offset lists say where each mail begins and ends; cut out, each is the mail that was read.
  @Test(arguments: ["content-length", "issue1189"])
  func mailsAreThoseAtTheListedOffsets(_ name: String) throws {
    let base = "mimekit/mbox/\(name)"
    let list = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(base + ".unix-offsets.json")))
    let offsets = try JSONDecoder().decode([Offsets].self, from: list)
    let box = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(base + ".mbox.txt")))
    let mails = try Corpus.read(base + ".mbox.txt").mails
    try #require(offsets.count == mails.count)
    for (place, read) in zip(offsets, mails) {
      let cut = try mail(Array(box[place.beginOffset..<place.endOffset]))
      #expect(cut.digest == read.digest, "\(read.subject)")
      #expect(cut.subject == read.subject)
    }
  }

  /// The collection gives the five mails of this mbox as files too.
  @Test func mboxAndItsPartsHaveTheSameDigests() throws {
    let box = try Corpus.read("mime4j-mbox/test-1/mbox.rlug").mails
    let parts = try (0..<5).map { try Corpus.mail("mime4j-mbox/test-1/mbox.rlug-\($0)") }
    #expect(box.map(\.digest) == parts.map(\.digest))
    #expect(box.map(\.preview) == parts.map(\.preview))
    #expect(Set(box.map(\.digest)).count == 5)
  }

  @Test(arguments: [
    ("mail-ruby/rfc6532/utf8_headers.eml", "Säying Hello"),
    ("mail-ruby/multi_charset/japanese_iso_2022.eml", "まみむめも"),
    ("mail-ruby/error_emails/missing_body.eml", "REDACTED"),
    ("mail-ruby/multi_charset/ks_c_5601-1987.eml", "test"),
    ("enmime/low-quality/bad-header-start.raw", "plain text"),
  ])
  func subject(_ path: String, _ subject: String) throws {
    #expect(try Corpus.mail(path).subject == subject)
  }

  @Test(arguments: [
    ("mail-ruby/multi_charset/japanese_iso_2022.eml", "すみません。"),
    ("mail-ruby/multi_charset/ks_c_5601-1987.eml", "스티해"),
    ("mail-ruby/mime_emails/email_with_similar_boundaries.eml", "Test"),
    ("enmime/mail/non-mime-html-charset-header-only.raw", "Test Müller"),
    ("enmime/mail/attachment-only.raw", ""),
  ])
  func preview(_ path: String, _ preview: String) throws {
    #expect(try Corpus.mail(path).preview == preview)
  }

  @Test(
    arguments: [
      ("error_emails/bad_date_header", nil), ("error_emails/bad_date_header2", nil),
      ("plain_emails/raw_email_with_bad_date", nil),
      ("plain_emails/raw_email_bad_time", "3609-06-30T09:33:50.000000Z"),
      ("plain_emails/raw_email_string_in_date_field", "2008-09-20T17:04:30.000000Z"),
      ("plain_emails/raw_email_incorrect_header", "2005-02-23T22:20:17.000000Z"),
    ] as [(String, String?)])
  func date(_ name: String, _ date: String?) throws {
    #expect(try Corpus.mail("mail-ruby/\(name).eml").date == date)
  }

  @Test func textsKeepTheirLimits() throws {
    for folder in ["mail-ruby/error_emails", "enmime/mail", "mimekit/messages", "mimekit/mbox"] {
      for mail in try Corpus.read(folder).mails {
        #expect(mail.from.utf8.count <= 998 && mail.subject.utf8.count <= 998)
        #expect(mail.preview.utf8.count <= 512)
        let text = mail.from + mail.subject + mail.preview
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(mail.digest.count == 64 && mail.size > 0)
      }
    }
  }

  @Test func mozillaFlags() throws {
    let mails = try Corpus.read("mimekit/mbox/content-length.mbox.txt").mails
    // `X-Mozilla-Status: 0011` and `0005` as grep finds them in the file.
    #expect(mails[0].isRead && !mails[0].isFlagged)
    #expect(mails[7].isRead && mails[7].isFlagged && !mails[7].isAnswered)
  }

  @Test func aSecondReadIsTheSame() throws {
    let first = try Corpus.read("mimekit/mbox/content-length.mbox.txt")
    #expect(try Corpus.read("mimekit/mbox/content-length.mbox.txt") == first)
    #expect(Set(first.mails.map(\.digest)).count == 29)
  }
}
