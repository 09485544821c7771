internal import EventSourcing
internal import FastJSON

/// What became of moves.
extension AgendaReader {
  private static let listLimit = 1000

  /// The moves that the events of one command asked for, as the members that `result` tells: those
  /// that are over, at most 1,000 of each kind, and how many are still under way.
  func moves(
    of positions: ClosedRange<Int>
  ) throws(ReadModelError) -> [UInt8] {
    try reader.snapshot { () throws(ReadModelError) -> [UInt8] in
      movesOfCommand.bind(1, positions.lowerBound)
      movesOfCommand.bind(2, positions.upperBound)
      defer { movesOfCommand.reset() }
      var moved = MoveList()
      var failed = MoveList()
      var underWay = 0
      while try movesOfCommand.step() {
        let (mail, target) = (movesOfCommand.integer(0), movesOfCommand.text(1))
        if let there = movesOfCommand.optionalInteger(2) {
          moved.add(mail, to: target) { writer in
            writer.key("as")
            writer.value(there)
          }
        } else if let reason = movesOfCommand.optionalText(3) {
          failed.add(mail, to: target) { writer in
            writer.key("reason")
            writer.value(reason)
          }
        } else {
          underWay += 1
        }
      }
      var writer = JSONWriter()
      writer.beginObject()
      moved.write("moved", "movedCount", to: &writer)
      if failed.count > 0 { failed.write("failed", "failedCount", to: &writer) }
      writer.key("underWay")
      writer.value(underWay)
      writer.endObject()
      return writer.bytes
    }
  }

  private struct MoveList {
    private(set) var count = 0
    private var writer = JSONWriter()

    init() { writer.beginArray() }

    mutating func add(_ mail: Int, to target: String, _ rest: (inout JSONWriter) -> Void) {
      count += 1
      guard count <= AgendaReader.listLimit else { return }
      writer.beginObject()
      writer.key("mail")
      writer.value(mail)
      writer.key("to")
      writer.value(target)
      rest(&writer)
      writer.endObject()
    }

    /// The list, and behind it how many there are, where it is too long to tell all.
    mutating func write(
      _ name: StaticString, _ countName: StaticString, to out: inout JSONWriter
    ) {
      writer.endArray()
      out.key(name)
      out.raw(writer.bytes)
      guard count > AgendaReader.listLimit else { return }
      out.key(countName)
      out.value(count)
    }
  }
}
