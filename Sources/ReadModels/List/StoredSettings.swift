internal import Domain
internal import EventSourcing
internal import FastJSON

extension ItemSettings {
  /// What a row has of an item's settings, in three columns from `column` on, each null where it is
  /// as usual. The day that a monthly item is meant for is no part of the view.
  init(stored row: SQLiteStatement, from column: Int32) {
    self.init(
      movable: row.optionalInteger(column) != 0,
      repetition: row.optionalText(column + 1).flatMap { Repetition(rawValue: $0) },
      due: row.optionalInteger(column + 2).map { Timestamp(microseconds: Int64($0)) })
  }
}

extension SectionStyle {
  /// The style as the view shows it; nil where it asks for nothing.
  var json: [UInt8]? {
    if isEmpty { return nil }
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// The same, as a row has it.
  var stored: String? { json.map { String(decoding: $0, as: UTF8.self) } }
}
