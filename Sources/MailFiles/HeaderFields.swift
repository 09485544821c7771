internal import CGMime

/// A message's own header. Of a field that is there twice the first counts.
struct HeaderFields {
  private let list: UnsafeMutablePointer<GMimeHeaderList>
  /// Keeps `list` alive.
  private let owner: ParsedMessage

  private static let listLimit = 1000

  init?(_ owner: ParsedMessage) {
    guard let list = cgmime_message_headers(owner.message) else { return nil }
    self.list = list
    self.owner = owner
  }

  /// The decoded value; nil where the field is absent or blank.
  subscript(name: String) -> String? {
    guard let header = g_mime_header_list_get_header(list, name),
      let value = g_mime_header_get_value(header)
    else { return nil }
    let text = String(cString: value)
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }

  /// What to show for who a mail is from: a display name, an address, or the field as it is.
  var sender: String {
    let first = mailboxes("From", limit: 1).first
    let shown = first.map { $0.name.isEmpty ? $0.address : $0.name } ?? ""
    return shown.isEmpty ? TextTidy.line(self["From"] ?? "") : shown
  }

  /// `Name <address>` for every mailbox of an address field.
  func recipients(_ name: String) -> [String] {
    mailboxes(name, limit: Self.listLimit).map { mailbox in
      if mailbox.name.isEmpty { return mailbox.address }
      if mailbox.address.isEmpty { return mailbox.name }
      return TextTidy.line("\(mailbox.name) <\(mailbox.address)>")
    }
  }

  private typealias Mailbox = (name: String, address: String)

  private func mailboxes(_ name: String, limit: Int) -> [Mailbox] {
    guard let header = g_mime_header_list_get_header(list, name),
      let raw = g_mime_header_get_raw_value(header),
      let addresses = internet_address_list_parse(GMimeLibrary.shared.options, raw)
    else { return [] }
    defer { cgmime_unref_addresses(addresses) }
    var found: [Mailbox] = []
    Self.collect(addresses, limit: limit, depth: 0, into: &found)
    return found
  }

  private static func collect(
    _ list: UnsafeMutablePointer<InternetAddressList>, limit: Int, depth: Int,
    into found: inout [Mailbox]
  ) {
    for index in 0..<internet_address_list_length(list) where found.count < limit {
      guard let address = internet_address_list_get_address(list, index) else { continue }
      if let mailbox = cgmime_as_mailbox(address) {
        let name = text(internet_address_get_name(address))
        let place = text(internet_address_mailbox_get_addr(mailbox))
        if !name.isEmpty || !place.isEmpty { found.append((name, place)) }
      } else if depth < 4, let members = cgmime_group_members(address) {
        collect(members, limit: limit, depth: depth + 1, into: &found)
      }
    }
  }

  private static func text(_ string: UnsafePointer<CChar>?) -> String {
    string.map { TextTidy.line(String(cString: $0)) } ?? ""
  }
}

extension HeaderFields {
  /// The id in a field that should hold one.
  func messageID(_ name: String) -> String? {
    guard let value = self[name] else { return nil }
    if let id = Self.bracketed(value, limit: 1).first { return id }
    // Some programs leave the brackets out.
    let words = value.split(whereSeparator: \.isWhitespace)
    guard words.count == 1, !words[0].contains(where: { $0 == "<" || $0 == ">" }) else {
      return nil
    }
    return TextTidy.line(String(words[0]))
  }

  /// All ids of a field that holds several.
  func messageIDs(_ name: String) -> [String] {
    self[name].map { Self.bracketed($0, limit: Self.listLimit) } ?? []
  }

  /// What stands between `<` and `>`, white space removed.
  private static func bracketed(_ value: String, limit: Int) -> [String] {
    var ids: [String] = []
    for part in value.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
      guard let end = part.firstIndex(of: ">") else { continue }
      let id = TextTidy.line(String(part[..<end].filter { !$0.isWhitespace }))
      if !id.isEmpty { ids.append(id) }
      if ids.count == limit { break }
    }
    return ids
  }
}
