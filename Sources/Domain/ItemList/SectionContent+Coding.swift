public import FastJSON

extension SectionTraits {
  /// Writes what items may do here as one object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("canAdd", canAdd)
    writer.member("canComplete", canComplete)
    writer.member("canDelete", canDelete)
    writer.member("canReorder", canReorder)
    writer.member("acceptsMoves", acceptsMoves)
  }

  /// The traits in the object called `key`, all five.
  init(_ key: StaticString, in fields: Fields) throws(FieldError) {
    guard let nested = try fields.nested(key) else { throw FieldError(key, "must be an object") }
    try self.init(nested)
  }

  fileprivate init(_ fields: Fields) throws(FieldError) {
    self.init(
      canAdd: try fields.requiredBool("canAdd"),
      canComplete: try fields.requiredBool("canComplete"),
      canDelete: try fields.requiredBool("canDelete"),
      canReorder: try fields.requiredBool("canReorder"),
      acceptsMoves: try fields.requiredBool("acceptsMoves"))
  }
}

extension SectionContent {
  /// Writes the section as members of an object that was begun.
  ///
  /// The swipe sides are among a section's traits; a side without buttons and with the usual
  /// settings is left out, as is a style that asks for nothing.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("header", nullable: header)
    writer.member("footer", nullable: footer)
    writer.key("traits")
    writer.beginObject()
    traits.writeMembers(to: &writer)
    swipe.unusualSides.writeMembers(to: &writer)
    writer.endObject()
    writer.member("completedRole", completedRole)
    if !style.isEmpty {
      writer.key("style")
      style.write(to: &writer)
    }
  }

  init(_ fields: Fields) throws(FieldError) {
    guard let traits = try fields.nested("traits") else {
      throw FieldError("traits", "must be an object")
    }
    let sides = try SwipeConfiguration(traits, from: .event)
    self.init(
      header: try fields.nullableString("header"), footer: try fields.nullableString("footer"),
      traits: try SectionTraits(traits), swipe: sides.applied(to: SwipeSettings()),
      completedRole: try fields.requiredBool("completedRole"),
      style: try SectionStyle("style", in: fields))
  }
}

extension SwipeSettings {
  /// The sides that are not as those of a new section.
  var unusualSides: SwipeConfiguration {
    let usual = SwipeSide()
    return SwipeConfiguration(
      leftToRight: leftToRight == usual ? nil : leftToRight,
      rightToLeft: rightToLeft == usual ? nil : rightToLeft)
  }
}
