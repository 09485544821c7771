internal import Digests
internal import EventSourcing
internal import FastJSON

/// What a backup consists of: the file `backup.json`, written last.
///
/// ```json
/// {"format":1,"time":…,"log":{"id":…,"head":…,"headTime":…,"segments":[…]},"sha256":…}
/// ```
///
/// `sha256` is the digest of the text before `,"sha256"`. Whatever else is to be kept one day gets a
/// member beside `log`, and a new format number.
struct BackupManifest: Equatable {
  static let format = 1

  struct Segment: Equatable {
    let first: UInt64
    let last: UInt64
    /// Its name in the backup's folder of segments.
    let file: String
    let length: Int
    /// Of the file's first `length` bytes.
    let content: SHA256Digest
    /// The log's own digest of the segment, which erasing changes nothing of.
    let chain: SHA256Digest
  }

  /// When the backup was made.
  var time: Timestamp
  var log: LogID
  var head: UInt64
  /// The last event's time; nil where there is none.
  var headTime: Timestamp?
  var segments: [Segment]

  /// How many bytes of segments the backup holds.
  var bytes: Int { segments.reduce(0) { $0 + $1.length } }

  func encoded() -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("format")
    writer.value(Self.format)
    writer.key("time")
    writer.value(time.description)
    writer.key("log")
    writeLog(to: &writer)
    let digest = writer.bytes.withRawBytes { SHA256Digest(of: $0) }
    writer.key("sha256")
    writer.value(digest.description)
    writer.endObject()
    return writer.take() + [UInt8(ascii: "\n")]
  }

  private func writeLog(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("id")
    writer.value(log.description)
    writer.key("head")
    writer.value(head)
    writer.key("headTime")
    writer.value(headTime?.description)
    writer.key("segments")
    writer.beginArray()
    for segment in segments {
      writer.beginObject()
      writer.key("first")
      writer.value(segment.first)
      writer.key("last")
      writer.value(segment.last)
      writer.key("file")
      writer.value(segment.file)
      writer.key("length")
      writer.value(segment.length)
      writer.key("sha256")
      writer.value(segment.content.description)
      writer.key("chain")
      writer.value(segment.chain.description)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  init(
    time: Timestamp, log: LogID, head: UInt64, headTime: Timestamp?, segments: [Segment]
  ) {
    self.time = time
    self.log = log
    self.head = head
    self.headTime = headTime
    self.segments = segments
  }

  /// - Throws: what is wrong with the text.
  init(_ bytes: [UInt8]) throws(FrameFault) {
    let fault = FrameFault("backup.json is not as it was written")
    guard let json = try? JSON(parsing: bytes), let format = json["format"]?.integer else {
      throw fault
    }
    guard format == Self.format else {
      throw FrameFault("backup.json has format \(format), this program knows \(Self.format)")
    }
    guard let time = json["time"]?.string.flatMap({ Timestamp($0) }), let log = json["log"],
      let id = log["id"]?.string.flatMap({ LogID($0) }), let head = log["head"]?.position,
      let segments = log["segments"]?.array?.map({ Segment($0) }), !segments.isEmpty,
      !segments.contains(nil)
    else { throw fault }
    self.init(
      time: time, log: id, head: head,
      headTime: log["headTime"]?.string.flatMap { Timestamp($0) },
      segments: segments.compactMap { $0 })
    // One byte more or less anywhere, or another order, and it is not what was written.
    guard encoded() == bytes, isConsistent else { throw fault }
  }

  /// Whether the segments are all of the log from the first position to the head.
  private var isConsistent: Bool {
    var next: UInt64 = 1
    for segment in segments {
      guard segment.first == next, segment.last + 1 >= next, segment.length >= SegmentHeader.size
      else { return false }
      next = segment.last + 1
    }
    return head + 1 == next
      && segments.allSatisfy { BackupDirectory.first(of: $0.file) == $0.first }
  }
}

extension BackupManifest.Segment {
  fileprivate init?(_ json: JSON) {
    guard let first = json["first"]?.position, let last = json["last"]?.position,
      let file = json["file"]?.string, let length = json["length"]?.integer,
      let content = json["sha256"]?.string.flatMap({ SHA256Digest($0) }),
      let chain = json["chain"]?.string.flatMap({ SHA256Digest($0) })
    else { return nil }
    self.init(
      first: first, last: last, file: file, length: length, content: content, chain: chain)
  }
}

extension JSON {
  /// A position that leaves room for the next one.
  fileprivate var position: UInt64? { integer.flatMap { $0 >= 0 && $0 < .max ? UInt64($0) : nil } }
}
