internal import EventSourcing

/// A journal as bytes: how many commands there ever were, how many of them it has, and of each its
/// id behind its length, how many commands before it the one is that it took back (0 for none), its
/// number of steps, and whether it stands for several; then the steps.
extension UndoJournal {
  func write(to writer: inout SnapshotWriter) {
    writer.number(commandCount)
    writer.number(commands.count)
    for (number, command) in zip(firstNumber..., commands) {
      writer.counted(command.id.withUTF8 { Array($0) })
      writer.number(command.undoes == 0 ? 0 : number - command.undoes)
      writer.number(command.stepCount)
      writer.bool(command.isRun)
    }
    for step in steps { step.write(to: &writer) }
  }

  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    let total = try reader.number(upTo: 1 << 62)
    let count = try reader.count(ofSize: 5)
    guard count <= min(Self.commandLimit, total) else {
      throw SnapshotDecodingError("there are more commands than are kept")
    }
    var commands: [Command] = []
    for number in total - count + 1..<total + 1 {
      commands.append(try Self.readCommand(number, &reader))
    }
    let stepCount = commands.reduce(0) { $0 + $1.stepCount }
    guard stepCount <= Self.stepLimit || count <= 1 else {
      throw SnapshotDecodingError("there are more changes than are kept")
    }
    var steps: [Step] = []
    for _ in 0..<stepCount { steps.append(try Step(snapshot: &reader)) }
    self.init(commands: commands, steps: steps, commandCount: total)
  }

  private static func readCommand(
    _ number: Int, _ reader: inout SnapshotReader
  ) throws(SnapshotDecodingError) -> Command {
    let text = try reader.counted()
    let distance = try reader.number(upTo: number)
    let stepCount = try reader.number(upTo: 1 << 40)
    let isRun = try reader.bool()
    let id = text.withUnsafeBufferPointer { CommandID(utf8: $0) }
    guard let id, distance < number else {
      throw SnapshotDecodingError("a command has no id, or took back what never was")
    }
    return Command(
      id: id, undoes: distance == 0 ? 0 : number - distance, stepCount: stepCount,
      isRun: isRun)
  }
}
