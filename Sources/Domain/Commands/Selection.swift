internal import FastJSON

/// Mails or items named by what they have in common, of which a decision fixes the ids.
///
/// It covers those that the command can be meant for: `restore` and `purge` those in the trash,
/// all others those that are not. Where it covers none, the command succeeds and changes nothing.
public enum Selection<ID: NumberedID>: Sendable, Equatable {
  /// Ids in these ranges, which are in order, apart from each other, and may have no end.
  case ranges([ClosedRange<Int>])
  /// All; of one place, where it is given.
  case all(in: SelectionPlace?)
  /// All mails of the conversation that this mail is of.
  case thread(ID)
}

/// Where all mails or items are meant: what names stand for is the aggregate's to say.
public enum SelectionPlace: Sendable, Equatable {
  /// A mailbox's box: `trash`.
  case name(String)
  /// A list's section.
  case number(Int)

  init?(_ fields: Fields) throws(FieldError) {
    guard let value = fields.object["in"] else { return nil }
    if let name = value.string {
      self = .name(name.shortened(to: 64))
    } else if let number = value.integer, number > 0 {
      self = .number(number)
    } else {
      throw FieldError("in", "must be a box's name, or a section's number")
    }
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.key("in")
    switch self {
    case .name(let name): writer.value(name)
    case .number(let number): writer.value(number)
    }
  }
}

extension Selection {
  /// The selection that the fields name; nil where they name none.
  init?(_ fields: Fields, _ names: TargetNames) throws(FieldError) {
    if let text = fields.object[names.many]?.string {
      guard let ranges = Self.ranges(text) else {
        throw FieldError(
          names.many, "must be an array of ids, or ids and ranges as \"1-5,9,20-\"")
      }
      self = .ranges(ranges)
    } else if fields.has("all") {
      guard fields.object["all"]?.bool == true else { throw FieldError("all", "must be true") }
      self = .all(in: try SelectionPlace(fields))
    } else if names.hasThreads, fields.has("thread") {
      self = .thread(try fields.id("thread"))
    } else {
      return nil
    }
  }

  /// The ranges of a text as "1-5,9,20-", joined where they touch; nil where it is none.
  static func ranges(_ text: String) -> [ClosedRange<Int>]? {
    var ranges: [ClosedRange<Int>] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let range = range(part) else { return nil }
      ranges.append(range)
    }
    var joined: [ClosedRange<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound - 1 <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  private static func range(_ text: Substring) -> ClosedRange<Int>? {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = number(ends[0]) else { return nil }
    if ends.count == 1 { return first...first }
    if ends[1].isEmpty { return first...Int.max }
    guard let last = number(ends[1]), first <= last else { return nil }
    return first...last
  }

  /// A positive number in plain digits, as ids are written.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(text), number > 0, number < .max
    else { return nil }
    return number
  }

  func write(to writer: inout JSONWriter, _ names: TargetNames) {
    switch self {
    case .ranges(let ranges):
      writer.key(names.many)
      writer.value(ranges.map(Self.text).joined(separator: ","))
    case .all(let place):
      writer.member("all", true)
      place?.write(to: &writer)
    case .thread(let id):
      writer.member("thread", id)
    }
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    if range.upperBound == .max { return "\(range.lowerBound)-" }
    return range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
  }

  /// The ids from 1 to `last` that it covers, ascending.
  ///
  /// - Parameters:
  ///   - thread: which conversation an id is of; nil for an id that there is not.
  ///   - isCovered: whether the id is there, and one that the command can be meant for.
  func ids(
    upTo last: Int, thread: (ID) -> ID?, where isCovered: (ID) -> Bool
  ) -> [ID] {
    var ids: [ID] = []
    var wanted: ID?
    if case .thread(let member) = self {
      wanted = thread(member)
      if wanted == nil { return [] }
    }
    for range in ranges where range.lowerBound <= last {
      for number in range.lowerBound...min(range.upperBound, last) {
        let id = ID(number)
        if let wanted, thread(id) != wanted { continue }
        if isCovered(id) { ids.append(id) }
      }
    }
    return ids
  }

  private var ranges: [ClosedRange<Int>] {
    if case .ranges(let ranges) = self { ranges } else { [1...Int.max] }
  }
}
