internal import EventSourcing
internal import FastJSON

/// Settings stand in snapshots as the JSON that views show, in the one form that they are written in.
extension SnapshotWriter {
  /// Writes the object that `write` writes, behind its length.
  mutating func json(_ write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    write(&writer)
    counted(writer.bytes)
  }
}

extension SnapshotReader {
  /// Reads what was written as JSON.
  ///
  /// - Parameters:
  ///   - what: what it is, for errors.
  ///   - read: takes it from the object's fields.
  ///   - write: writes it again, to see that it is in its one form.
  mutating func json<Value>(
    _ what: String, read: (Fields) throws(FieldError) -> Value,
    write: (Value, inout JSONWriter) -> Void
  ) throws(SnapshotDecodingError) -> Value {
    let bytes = try counted()
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    let value: Value
    do {
      value = try read(Fields(try parser.parse(bytes)))
    } catch {
      throw SnapshotDecodingError("\(what): \(error)")
    }
    var writer = JSONWriter()
    write(value, &writer)
    guard writer.bytes == Array(bytes) else {
      throw SnapshotDecodingError("\(what): not written as here")
    }
    return value
  }
}
