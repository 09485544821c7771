internal import Digests
internal import FastJSON

extension MailErasure {
  /// Nil where the event is of a purge that erases nothing.
  init?(_ fields: Fields) throws(FieldError) {
    guard try fields.bool("erased", default: false) else { return nil }
    guard let known = try fields.nested("known") else {
      self.init(known: nil)
      return
    }
    do throws(FieldError) {
      self.init(known: try KnownMail(known))
    } catch {
      throw error.within("known")
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("erased", true)
    guard let known else { return }
    writer.key("known")
    writer.beginObject()
    writer.member("salt", known.salt.description)
    writer.member("messageID", ifGiven: known.messageID?.description)
    writer.member("digest", ifGiven: known.digest?.description)
    writer.endObject()
  }
}

extension KnownMail {
  fileprivate init(_ fields: Fields) throws(FieldError) {
    guard let salt = try fields.fingerprint("salt") else {
      throw FieldError("salt", "must be given")
    }
    self.init(
      salt: salt, messageID: try fields.fingerprint("messageID"),
      digest: try fields.fingerprint("digest"))
  }
}

extension Fields {
  /// Nil where the field is absent.
  fileprivate func fingerprint(_ key: StaticString) throws(FieldError) -> Fingerprint? {
    guard let value = object[key] else { return nil }
    guard let utf8 = value.utf8, let fingerprint = Fingerprint(utf8) else {
      throw FieldError(key, "must be 32 hexadecimal digits")
    }
    return fingerprint
  }
}
