internal import FastJSON

/// What a bulk command did to each id, in the order given: at most 1,000 listed, then counts.
public struct BulkResults<ID: NumberedID>: Sendable, Equatable {
  public struct Entry: Sendable, Equatable {
    public let id: ID
    public let changed: Bool
    /// What comes after a completed item that repeats.
    public let next: NextItem?

    public init(_ id: ID, changed: Bool, next: NextItem? = nil) {
      self.id = id
      self.changed = changed
      self.next = next
    }
  }

  public static var listLimit: Int { 1000 }

  /// The first ones.
  public private(set) var listed: [Entry] = []
  public private(set) var count = 0
  public private(set) var changedCount = 0

  public init() {}

  /// Counts the next id in.
  public mutating func add(_ id: ID, changed: Bool, next: NextItem? = nil) {
    if count < Self.listLimit { listed.append(Entry(id, changed: changed, next: next)) }
    count += 1
    if changed { changedCount += 1 }
  }

  func write(to writer: inout JSONWriter, id name: StaticString) {
    writer.beginObject()
    writeMembers(to: &writer, id: name)
    writer.endObject()
  }

  /// Writes the results as members of an object that was begun.
  func writeMembers(to writer: inout JSONWriter, id name: StaticString) {
    writer.key("results")
    writer.beginArray()
    for entry in listed {
      writer.beginObject()
      writer.key(name)
      writer.value(entry.id.rawValue)
      writer.key("changed")
      writer.value(entry.changed)
      entry.next?.write(to: &writer)
      writer.endObject()
    }
    writer.endArray()
    if count > listed.count {
      writer.key("count")
      writer.value(count)
      writer.key("changed")
      writer.value(changedCount)
    }
  }
}
