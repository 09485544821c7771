internal import EventSourcing
internal import FastJSON

/// What a command is about: one id, a fixed set of ids that changes together or not at all, or a
/// selection of which the decision makes such a set.
///
/// One id and a set of one are not the same command: their receipts differ.
public struct Targets<ID: NumberedID>: Sendable, Equatable {
  private enum Storage: Sendable, Equatable {
    case one(ID)
    case set([ID])
    indirect case selection(Selection<ID>)
  }

  private let storage: Storage

  /// A single target.
  public init(_ id: ID) { storage = .one(id) }

  /// A set, of which the first occurrence of each id counts; nil where it is empty.
  public init?(set ids: [ID]) {
    guard !ids.isEmpty else { return nil }
    storage = .set(Self.distinct(ids))
  }

  /// What an aggregate is to make a set of.
  public init(_ selection: Selection<ID>) { storage = .selection(selection) }

  /// Never empty, each id once, in the order given; of a selection none, before it is resolved.
  public var ids: [ID] {
    switch storage {
    case .one(let id): [id]
    case .set(let ids): ids
    case .selection: []
    }
  }

  /// The selection, nil where ids were given.
  public var selection: Selection<ID>? {
    if case .selection(let selection) = storage { selection } else { nil }
  }

  /// The only target, nil where a set was given, be it of one.
  public var single: ID? {
    if case .one(let id) = storage { id } else { nil }
  }

  /// Whether a set was given, so that the outcome lists each id.
  public var isBulk: Bool { single == nil }

  private static func distinct(_ ids: [ID]) -> [ID] {
    // Most sets come sorted; those need no hashing.
    if zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 }) { return ids }
    var seen = Set<ID>(minimumCapacity: ids.count)
    return ids.filter { seen.insert($0).inserted }
  }

  init(_ fields: Fields, _ names: TargetNames) throws(FieldError) {
    try Self.checkOneGiven(fields, names)
    if fields.has(names.one) {
      self.init(try fields.id(names.one))
      return
    }
    if let selection = try Selection<ID>(fields, names) {
      self.init(selection)
      return
    }
    guard let value = fields.object[names.many] else {
      throw FieldError("", "'\(names.one)' or '\(names.many)' must be given")
    }
    guard let targets = Targets(set: try Self.ids(value, names.many)) else {
      throw FieldError(names.many, "must not be empty")
    }
    self = targets
  }

  private static func checkOneGiven(_ fields: Fields, _ names: TargetNames) throws(FieldError) {
    let hasOne = fields.has(names.one)
    let hasMany = fields.has(names.many)
    let hasAll = fields.has("all")
    let hasThread = names.hasThreads && fields.has("thread")
    if hasOne, hasMany {
      throw FieldError(names.one, "must be left out where '\(names.many)' is given")
    }
    if (hasOne || hasMany) && (hasAll || hasThread) || hasAll && hasThread {
      throw FieldError(
        hasAll ? "all" : "thread", "must be left out where other \(names.many) are given")
    }
    if !hasAll, fields.has("in") { throw FieldError("in", "is for 'all' only") }
  }

  private static func ids(_ value: JSONValue, _ key: StaticString) throws(FieldError) -> [ID] {
    guard let elements = value.elements else {
      throw FieldError(key, "must be an array of positive integers")
    }
    var ids: [ID] = []
    for element in elements {
      guard let number = element.integer, number > 0 else {
        throw FieldError(key, "must be an array of positive integers")
      }
      ids.append(ID(number))
    }
    return ids
  }

  func write(to writer: inout JSONWriter, _ names: TargetNames) {
    if let single {
      writer.member(names.one, single)
      return
    }
    if let selection { return selection.write(to: &writer, names) }
    writer.key(names.many)
    writer.beginArray()
    for id in ids { writer.value(id.rawValue) }
    writer.endArray()
  }
}
