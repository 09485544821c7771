internal import EventSourcing
internal import FastJSON

extension ItemSettings {
  /// Writes what is not usual, as members of an object that was begun.
  func writeMembers(to writer: inout JSONWriter) {
    if let repetition { writer.member("repeat", repetition.rawValue) }
    if let due {
      writer.key("due")
      writer.value(due)
    }
    if !movable { writer.member("movable", false) }
    if let anchorDay {
      writer.key("anchorDay")
      writer.value(anchorDay)
    }
  }

  init(_ fields: Fields) throws(FieldError) {
    let given = try ItemConfiguration(fields)
    self = given.applied(to: .usual)
    anchorDay = given.anchorDay
  }
}

extension ItemConfiguration {
  /// Writes what is given, as members of an object that was begun.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("movable", ifGiven: movable)
    if let repetition { writer.member("repeat", nullable: repetition?.rawValue) }
    if let due {
      writer.key("due")
      if let due { writer.value(due) } else { writer.value(String?.none) }
    }
    if let anchorDay {
      writer.key("anchorDay")
      writer.value(anchorDay)
    }
  }

  init(_ fields: Fields) throws(FieldError) {
    self.init(
      movable: try fields.optionalBool("movable"),
      repetition: fields.has("repeat") ? .some(try fields.repetition()) : nil,
      due: fields.has("due") ? .some(try fields.nullableTime("due")) : nil,
      anchorDay: try fields.anchorDay())
  }
}

extension Fields {
  fileprivate func repetition() throws(FieldError) -> Repetition? {
    if object["repeat"]?.isNull == true { return nil }
    guard let text = object["repeat"]?.string, let repetition = Repetition(rawValue: text) else {
      throw FieldError("repeat", "must be one of 'daily', 'weekly', 'monthly', or null")
    }
    return repetition
  }

  fileprivate func anchorDay() throws(FieldError) -> Int? {
    guard let day = try optionalCount("anchorDay") else { return nil }
    guard (1...31).contains(day) else {
      throw FieldError("anchorDay", "must be a day of a month, 1 to 31")
    }
    return day
  }
}
