public import FastJSON

/// Which events of a category hold the text of a mail or an item, and what of it stays when that is
/// erased.
public struct ErasableEvents: Sendable {
  /// What happens to the members of an event's data. Those that are in neither list go: a member
  /// that nobody thought of must not keep text.
  public struct Form: Sendable {
    /// They stay as they are.
    public let kept: Set<String>
    /// Texts that every reader expects: they become empty.
    public let emptied: Set<String>

    public init(kept: Set<String>, emptied: Set<String>) {
      self.kept = kept
      self.emptied = emptied
    }
  }

  public let category: StreamCategory
  /// The member that says what an event is about, for example `mail`.
  public let subject: StaticString
  /// The same for several.
  public let subjects: StaticString
  /// The event that asks for the erasure, where its member `erased` is true.
  public let purge: EventType
  /// The events that hold text.
  public let forms: [EventType: Form]

  public init(
    category: StreamCategory, subject: StaticString, subjects: StaticString, purge: EventType,
    forms: [EventType: Form]
  ) {
    self.category = category
    self.subject = subject
    self.subjects = subjects
    self.purge = purge
    self.forms = forms
  }

  /// The number of what `event`, one of this category, asks to erase; nil where it asks nothing.
  func subjectErased(by event: RecordedEvent, parser: JSONParser) -> Int? {
    guard event.type == purge, let data = try? parser.parse(event.data),
      data["erased"]?.bool == true
    else { return nil }
    return data[subject]?.integer
  }

  /// The event without its text, where it holds text of one of `subjects`.
  ///
  /// What goes is made up for with spaces before the last brace: the text's length is all that
  /// is left of it.
  ///
  /// - Parameters:
  ///   - event: one of this category.
  ///   - isErased: whether a mail or an item of the event's stream is to be erased.
  public func redaction(
    of event: RecordedEvent, where isErased: (Int) -> Bool, parser: JSONParser
  ) -> Redaction? {
    guard let form = forms[event.type], let data = try? parser.parse(event.data),
      let number = data[subject]?.integer, isErased(number), let members = data.members
    else { return nil }
    var writer = JSONWriter(capacity: event.data.count)
    writer.beginObject()
    for member in members {
      let name = member.name.string
      guard form.kept.contains(name) || form.emptied.contains(name) else { continue }
      writer.key(text: name)
      if form.kept.contains(name) { writer.value(member.value) } else { writer.value("") }
    }
    var bytes = writer.bytes
    let padding = max(event.data.count - bytes.count - 1, 0)
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: padding))
    bytes.append(UInt8(ascii: "}"))
    return Redaction(
      position: event.position, data: bytes, meta: EventMeta.erasingContent(event.meta))
  }
}
