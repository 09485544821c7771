internal import EventSourcing

extension MailLabels {
  /// Writes the labels in use, in order, then each labelled mail as the difference to the one before
  /// it, how many labels it has, and which, as the difference to the one before.
  func writeSnapshot(to writer: inout SnapshotWriter) {
    let names = uses.keys.sorted()
    writer.number(names.count)
    for name in names { writer.text(name.text) }
    let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    let mails = mails
    writer.number(mails.count)
    var last: UInt32 = 0
    for mail in mails {
      writer.number(mail - last)
      last = mail
      let labels = labels(of: mail)
      writer.number(labels.count)
      var place = -1
      for case let next? in labels.lazy.map({ places[$0] }) {
        writer.number(next - place)
        place = next
      }
    }
  }

  /// - Parameter isThere: whether a mail can have labels.
  init(
    snapshot reader: inout SnapshotReader, where isThere: (UInt32) -> Bool
  ) throws(SnapshotDecodingError) {
    self.init()
    let names = try Self.names(&reader)
    var last = 0
    for _ in 0..<(try reader.count(ofSize: 3)) {
      let mail = last + (try reader.number(upTo: Int(UInt32.max) - last))
      guard mail > last, isThere(UInt32(mail)) else { throw Self.damage }
      last = mail
      var labels: [MailLabel] = []
      var place = -1
      for _ in 0..<(try reader.count(ofSize: 1)) {
        let step = try reader.number(upTo: names.count)
        guard step > 0, place + step < names.count else { throw Self.damage }
        place += step
        labels.append(names[place])
      }
      guard !labels.isEmpty else { throw Self.damage }
      set(UInt32(mail), labels)
    }
    guard uses.count == names.count else { throw Self.damage }
  }

  private static func names(
    _ reader: inout SnapshotReader
  ) throws(SnapshotDecodingError) -> [MailLabel] {
    var names: [MailLabel] = []
    for _ in 0..<(try reader.count(ofSize: 2)) {
      let label = try MailLabel(snapshot: &reader)
      guard names.last.map({ $0 < label }) ?? true else { throw damage }
      names.append(label)
    }
    return names
  }

  fileprivate static let damage = SnapshotDecodingError("its labels make no sense")
}

extension MailLabel {
  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    let text = try reader.text()
    guard let label = MailLabel(text), label.text == text else { throw MailLabels.damage }
    self = label
  }
}
