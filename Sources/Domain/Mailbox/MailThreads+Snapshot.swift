internal import EventSourcing

extension MailThreads {
  /// Writes of each mail by how much its number is beyond its thread's, then a hash of its subject (4
  /// bytes, big endian); the hashes of what mails refer to (8 bytes), each behind the difference of its
  /// mail to the one before; the muted threads, as differences.
  func writeSnapshot(to writer: inout SnapshotWriter) {
    for (mail, thread) in threads.enumerated().dropFirst() { writer.number(mail - Int(thread)) }
    for subject in subjects.dropFirst() { Self.write(subject, to: &writer) }
    let entries = references.entries
    writer.number(entries.count)
    var last: UInt32 = 0
    for (mail, key) in entries {
      writer.number(mail - last)
      last = mail
      Self.write(key, to: &writer)
    }
    writer.number(muted.count)
    last = 0
    for thread in muted.sorted() {
      writer.number(thread - last)
      last = thread
    }
  }

  init(mails count: Int, snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    self.init(mails: count)
    var numbers: [UInt32] = []
    numbers.reserveCapacity(min(count, reader.remaining))
    for mail in 0..<count { numbers.append(UInt32(mail + 1 - (try reader.number(upTo: mail)))) }
    for thread in numbers { append(thread: thread, subject: try Self.integer(&reader)) }
    var mail = 0
    for _ in 0..<(try reader.count(ofSize: 9)) {
      mail += try reader.number(upTo: count - mail)
      let key: UInt64 = try Self.integer(&reader)
      guard mail > 0, key != 0 else {
        throw SnapshotDecodingError("a mail refers to what no mail can")
      }
      add(reference: key, of: UInt32(mail))
    }
    var thread = 0
    for _ in 0..<(try reader.count(ofSize: 1)) {
      let step = try reader.number(upTo: count - thread)
      guard step > 0 else { throw SnapshotDecodingError("a thread is muted twice") }
      thread += step
      setMuted(UInt32(thread), true)
    }
  }

  private static func write<Number: FixedWidthInteger>(
    _ number: Number, to writer: inout SnapshotWriter
  ) {
    withUnsafeBytes(of: number.bigEndian) { writer.raw($0) }
  }

  private static func integer<Number: FixedWidthInteger>(
    _ reader: inout SnapshotReader
  ) throws(SnapshotDecodingError) -> Number {
    try reader.raw(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number($1) }
  }
}
