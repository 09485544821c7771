internal import FastJSON

/// Where something goes, by identity: next to another one, or to an end.
public enum Anchor<ID: NumberedID>: Sendable, Equatable {
  case after(ID)
  case before(ID)
  case first
  case last

  /// The anchor that the fields name; nil where they name none.
  init?(optional fields: Fields) throws(FieldError) {
    let keys: [StaticString] = ["after", "before", "first", "last"]
    let given = keys.filter { fields.has($0) }
    guard let key = given.first else { return nil }
    guard given.count == 1 else {
      throw FieldError("", "only one of 'after', 'before', 'first' and 'last' may be given")
    }
    if fields.has("after") {
      self = .after(try fields.id("after"))
    } else if fields.has("before") {
      self = .before(try fields.id("before"))
    } else {
      guard fields.object[key]?.bool == true else { throw FieldError(key, "must be true") }
      self = fields.has("first") ? .first : .last
    }
  }

  init(_ fields: Fields) throws(FieldError) {
    guard let anchor = try Anchor(optional: fields) else {
      throw FieldError("", "one of 'after', 'before', 'first' and 'last' must be given")
    }
    self = anchor
  }

  /// The id that the anchor names.
  var id: ID? {
    switch self {
    case .after(let id), .before(let id): id
    case .first, .last: nil
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .after(let id):
      writer.key("after")
      writer.value(id.rawValue)
    case .before(let id):
      writer.key("before")
      writer.value(id.rawValue)
    case .first:
      writer.key("first")
      writer.value(true)
    case .last:
      writer.key("last")
      writer.value(true)
    }
  }
}
