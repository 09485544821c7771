public import EventSourcing
public import FastJSON

/// Writes what the service answers. `id` is the request's, nil where it could not be read.
public enum Reply {
  /// A command's receipt, in one piece: they are what the service writes most.
  ///
  /// - Parameter id: the command's, of at most as many bytes as a command's id has.
  public static func receipt(
    _ receipt: ReceiptView, id: UnsafeRawBufferPointer, to writer: inout JSONWriter
  ) {
    let idLimit = TextCursor.stringBytesLimit(id.count)
    write(receipt, frontLimit: idLimit + 24, to: &writer) { out in
      out.put(#""id":"#)
      out.put(string: id.bindMemory(to: UInt8.self))
      out.put(#","ok":true,"#)
    }
  }

  /// Writes an object with a receipt's members behind what `front`, of at most `frontLimit` bytes,
  /// puts there.
  @inline(__always)
  private static func write(
    _ receipt: ReceiptView, frontLimit: Int = 0, to writer: inout JSONWriter,
    front: (inout TextCursor) -> Void = { _ in }
  ) {
    var stream = receipt.stream.description
    stream.withUTF8 { stream in
      writer.compose(atMost: 192 + frontLimit + stream.count + receipt.outcome.count) { out in
        out.put(UInt8(ascii: "{"))
        front(&out)
        // A stream's name has nothing that must be escaped.
        out.put(#""stream":""#)
        out.put(UnsafeRawBufferPointer(stream))
        out.put(#"","revision":"#)
        out.put(receipt.revision.rawValue)
        out.put(#","position":"#)
        out.put(receipt.position.rawValue)
        out.put(#","events":"#)
        out.put(UInt64(receipt.eventCount))
        out.put(#","outcome":"#)
        out.put(receipt.outcome)
        if receipt.isDuplicate { out.put(#","duplicate":true"#) }
        out.put(UInt8(ascii: "}"))
      }
    }
  }

  /// A refusal.
  public static func error(_ error: ServiceError, id: String?, to writer: inout JSONWriter) {
    writer.beginObject()
    begin(id, ok: false, &writer)
    writer.key("error")
    writer.beginObject()
    writer.key("code")
    writer.value(error.code.rawValue)
    writer.key("message")
    writer.value(error.message)
    if let revision = error.revision {
      writer.key("revision")
      writer.value(revision.rawValue)
    }
    if !error.ids.isEmpty {
      writer.key("ids")
      writer.beginArray()
      for id in error.ids { writer.value(id) }
      writer.endArray()
    }
    writer.endObject()
    writer.endObject()
  }

  /// What `result` found.
  public enum CommandStanding: Sendable {
    case written(CommandReceipt)
    case pending
    case unknown
  }

  /// The answer to `result`.
  ///
  /// - Parameter consequences: what became of the command since, an object of further members.
  public static func standing(
    _ standing: CommandStanding, consequences: [UInt8]? = nil, id: String?,
    to writer: inout JSONWriter
  ) {
    writer.beginObject()
    begin(id, ok: true, &writer)
    writer.key("result")
    switch standing {
    case .pending: writer.value("pending")
    case .unknown: writer.value("unknown")
    case .written(let receipt):
      writer.value("written")
      writer.key("receipt")
      receipt.withView { write($0, to: &writer) }
      if let consequences { writer.members(ofObject: consequences) }
    }
    writer.endObject()
  }

  /// A positive answer whose members `body` writes.
  public static func ok(
    id: String?, to writer: inout JSONWriter, _ body: (inout JSONWriter) -> Void = { _ in }
  ) {
    writer.beginObject()
    begin(id, ok: true, &writer)
    body(&writer)
    writer.endObject()
  }

  private static func begin(_ id: String?, ok: Bool, _ writer: inout JSONWriter) {
    writer.key("id")
    writer.value(id)
    writer.key("ok")
    writer.value(ok)
  }
}
