internal import FastJSON
public import MailFiles

/// What a sync remembers from one run to the next: which mail each file is, and what both sides
/// last agreed on.
public struct SyncState: Sendable, Equatable {
  private static let version = 1

  public let stream: String
  /// The log that the mail numbers are of.
  public let log: String
  public var files: [MaildirKey: SyncedFile] = [:]

  public init(stream: String, log: String) {
    self.stream = stream
    self.log = log
  }

  /// Nil where `content` is damaged, or another version's, or another stream's: then all is found
  /// out again.
  public init?(_ content: [UInt8], stream: String) {
    guard let json = try? JSON(parsing: content), json["version"]?.integer == Self.version,
      json["stream"]?.string == stream, let log = json["log"]?.string,
      let files = json["files"]?.array
    else { return nil }
    self.init(stream: stream, log: log)
    for file in files {
      guard let name = file[0]?.string, let key = MaildirKey(name),
        let mail = file[1]?.integer, mail > 0, let letters = file[2]?.string
      else { return nil }
      let flags = MailFlags(maildirLetters: letters.utf8)
      guard flags.maildirLetters == Array(letters.utf8) else { return nil }
      self.files[key] = SyncedFile(mail: mail, agreed: flags)
    }
  }

  /// As a JSON object: `version`, `stream`, `log`, and `files` with an array of unique name, mail
  /// and agreed flags for each.
  public var content: [UInt8] {
    var writer = JSONWriter(capacity: 64 * files.count + 256)
    writer.beginObject()
    writer.key("version")
    writer.value(Self.version)
    writer.key("stream")
    writer.value(stream)
    writer.key("log")
    writer.value(log)
    writer.key("files")
    writer.beginArray()
    for (key, file) in files.sorted(by: { $0.key < $1.key }) {
      writer.beginArray()
      writer.value(key.description)
      writer.value(file.mail)
      writer.value(String(decoding: file.agreed.maildirLetters, as: UTF8.self))
      writer.endArray()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
