public import FastJSON

extension SectionStyle {
  /// Writes what it asks for as one object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if let alignment { writer.member("alignment", alignment.rawValue) }
    if let weight {
      writer.key("weight")
      writer.value(weight)
    }
    if let size {
      writer.key("size")
      writer.number(size)
    }
    if let headerHeight {
      writer.key("headerHeight")
      writer.number(headerHeight)
    }
    writer.endObject()
  }

  /// The style under `key`; none where it is absent.
  init(_ key: StaticString, in fields: Fields) throws(FieldError) {
    guard let nested = try fields.nested(key) else {
      self.init()
      return
    }
    do throws(FieldError) {
      try self.init(nested)
    } catch {
      throw error.within("\(key)")
    }
  }

  /// The style that the fields are.
  init(_ fields: Fields) throws(FieldError) {
    self = try SectionStyleChange(fields).applied(to: SectionStyle())
  }
}

extension SectionStyleChange {
  /// The change under `key`: null takes all away, and where it is absent nothing changes.
  init(_ key: StaticString, in fields: Fields) throws(FieldError) {
    guard let value = fields.object[key] else {
      self.init()
      return
    }
    if value.isNull {
      self = .reset
      return
    }
    guard let nested = try fields.nested(key) else {
      throw FieldError(key, "must be an object or null")
    }
    do throws(FieldError) {
      try nested.allowOnly(.style)
      try self.init(nested)
    } catch {
      throw error.within("\(key)")
    }
  }

  fileprivate init(_ fields: Fields) throws(FieldError) {
    self.init(
      alignment: try fields.nullable("alignment") { () throws(FieldError) in
        try fields.choice("alignment", of: SectionStyle.Alignment.self)
      },
      weight: try fields.nullable("weight") { () throws(FieldError) in try fields.weight() },
      size: try fields.nullable("size") { () throws(FieldError) in
        try fields.number("size", from: 1, to: 1000)
      },
      headerHeight: try fields.nullable("headerHeight") { () throws(FieldError) in
        try fields.number("headerHeight", from: 0, to: 1000)
      })
  }

  /// Writes what is given as one object.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if let alignment { writer.member("alignment", nullable: alignment?.rawValue) }
    if let weight {
      writer.key("weight")
      writer.value(weight)
    }
    if let size {
      writer.key("size")
      writer.number(nullable: size)
    }
    if let headerHeight {
      writer.key("headerHeight")
      writer.number(nullable: headerHeight)
    }
    writer.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func number(nullable value: Double?) {
    if let value { number(value) } else { self.value(String?.none) }
  }
}

extension Fields {
  /// What `read` gives, nil within where the field is null, and nil where it is absent.
  fileprivate func nullable<Value>(
    _ key: StaticString, read: () throws(FieldError) -> Value
  ) throws(FieldError) -> Value?? {
    guard let value = object[key] else { return nil }
    return value.isNull ? .some(nil) : .some(try read())
  }

  /// A number, or one of the names that OpenType has for weights.
  fileprivate func weight() throws(FieldError) -> Int {
    let names = [
      "thin", "extra-light", "light", "regular", "medium", "semi-bold", "bold", "extra-bold",
      "black",
    ]
    if let name = object["weight"]?.string, let index = names.firstIndex(of: name) {
      return (index + 1) * 100
    }
    guard let weight = object["weight"]?.integer, (100...900).contains(weight) else {
      throw FieldError(
        "weight", "must be an integer from 100 to 900, or one of \(names.joined(separator: ", "))")
    }
    return weight
  }
}
