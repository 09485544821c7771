internal import FastJSON

/// Mails and items to erase together: one pass over their stream does for all of them.
struct ErasureBatch {
  struct Part {
    let stream: StreamID
    let events: ErasableEvents
    var subjects: Set<Int>
    /// Of the last event that asks for it: the text is in those before.
    var revision: Revision
    var position: GlobalPosition
    /// Of the events that held the text.
    var replaced: [GlobalPosition] = []
  }

  private(set) var parts: [StreamID: Part] = [:]
  private(set) var count = 0

  var isEmpty: Bool { parts.isEmpty }

  /// In the order of the log, so that the last one tells how far all of them came.
  var inOrder: [Part] { parts.values.sorted { $0.position < $1.position } }

  mutating func add(_ subject: Int, of event: RecordedEvent, _ events: ErasableEvents) {
    let new = Part(
      stream: event.stream, events: events, subjects: [], revision: .none, position: .start)
    var part = parts[event.stream] ?? new
    // Taken out meanwhile, so that the set is changed in place.
    parts[event.stream] = nil
    if part.subjects.insert(subject).inserted { count += 1 }
    part.revision = event.revision
    part.position = event.position
    parts[event.stream] = part
  }

  mutating func noteReplaced(_ positions: [GlobalPosition], of stream: StreamID) {
    parts[stream]?.replaced += positions
  }

  mutating func forgetReplaced(of stream: StreamID) { parts[stream]?.replaced = [] }
}
