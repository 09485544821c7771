internal import EventSourcing

/// What a stream's last commands did, so that each can be taken back once.
///
/// It is part of the state: the events and the commands that their metas name build it.
struct UndoJournal<Step: UndoStep>: Sendable {
  /// A command that wrote events.
  struct Command: Sendable, Equatable {
    let id: CommandID
    /// The number of the command that this one took back; 0 for none.
    let undoes: Int
    var stepCount = 0
    /// Whether it stands for several commands of the service in a row.
    var isRun = false
  }

  /// How many commands can be taken back.
  static var commandLimit: Int { 100 }
  /// How many changes are kept for that; the newest command's always are.
  static var stepLimit: Int { 1 << 20 }
  /// How much is dropped at a time, so that dropping is cheap.
  private static var slack: Int { 100 }

  /// Oldest first; those before `firstCommand` are dropped already.
  private var allCommands: [Command] = []
  private var firstCommand = 0
  private var allSteps: [Step] = []
  private var firstStep = 0
  /// How many commands there ever were: the number of the last one.
  private(set) var commandCount = 0
  /// How many steps hold a text of whom, so that none looks for them in vain.
  private var textHolders: [UInt32: Int] = [:]
  private var textBytes = 0

  init() {}

  /// The journal as a snapshot gives it.
  init(commands: [Command], steps: [Step], commandCount: Int) {
    allCommands = commands
    allSteps = steps
    self.commandCount = commandCount
    for step in steps { countText(of: step) }
  }

  /// Oldest first.
  var commands: ArraySlice<Command> { allCommands[firstCommand...] }
  /// The commands' steps, in the order in which they happened.
  var steps: ArraySlice<Step> { allSteps[firstStep...] }

  var memoryFootprint: Int {
    allCommands.capacity * MemoryLayout<Command>.stride
      + allSteps.capacity * MemoryLayout<Step>.stride + textBytes + textHolders.capacity * 24
  }

  /// The number of the oldest command that is kept.
  var firstNumber: Int { commandCount - commands.count + 1 }

  // MARK: Recording

  /// The steps that follow are of this command; of an unknown one nothing is kept, nor of what came
  /// before it, as nobody can tell what it touched.
  mutating func begin(_ cause: EventCause?) {
    guard let cause else {
      allCommands = []
      allSteps = []
      firstCommand = 0
      firstStep = 0
      textHolders = [:]
      textBytes = 0
      return
    }
    let count = allCommands.count
    if count > 0 {
      if allCommands[count - 1].id == cause.command { return }
      // What the service does, a thousand wakes at once, must not push out what people did.
      if cause.command.isReserved, allCommands[count - 1].id.isReserved {
        allCommands[count - 1].isRun = true
        return
      }
    }
    commandCount += 1
    let undoes = cause.undoes.map { number(before: commandCount, of: $0) } ?? 0
    allCommands.append(Command(id: cause.command, undoes: undoes))
    trim()
  }

  /// The number of a command that is kept, where the next one has `next`; 0 where it is not.
  private func number(before next: Int, of id: CommandID) -> Int {
    guard let index = allCommands.lastIndex(where: { $0.id == id }), index >= firstCommand else {
      return 0
    }
    return next - (allCommands.count - index)
  }

  mutating func record(_ step: @autoclosure () -> Step) {
    guard !allCommands.isEmpty else { return }
    let step = step()
    countText(of: step)
    allSteps.append(step)
    allCommands[allCommands.count - 1].stepCount += 1
    if allSteps.count - firstStep > Self.stepLimit { trim() }
  }

  private mutating func trim() {
    // Counted without slices: it runs with every command.
    while allCommands.count - firstCommand > Self.commandLimit
      || allSteps.count - firstStep > Self.stepLimit && allCommands.count - firstCommand > 1
    {
      firstStep += allCommands[firstCommand].stepCount
      firstCommand += 1
    }
    if firstCommand > Self.slack {
      allCommands.removeFirst(firstCommand)
      firstCommand = 0
    }
    if firstStep > Self.slack, firstStep > allSteps.count / 4 {
      for step in allSteps[..<firstStep] { discountText(of: step) }
      allSteps.removeFirst(firstStep)
      firstStep = 0
    }
  }

  private mutating func countText(of step: Step) {
    guard let text = step.text else { return }
    textHolders[text.holder, default: 0] += 1
    textBytes += text.byteCount
  }

  private mutating func discountText(of step: Step) {
    guard let text = step.text else { return }
    let count = textHolders[text.holder, default: 1] - 1
    textHolders[text.holder] = count > 0 ? count : nil
    textBytes -= text.byteCount
  }

  /// Forgets the texts of what is gone for good.
  mutating func dropTexts(of holder: UInt32) {
    guard textHolders.removeValue(forKey: holder) != nil else { return }
    // Also those that are out of reach already, but not out of memory.
    for index in allSteps.indices where allSteps[index].text?.holder == holder {
      textBytes -= allSteps[index].text?.byteCount ?? 0
      allSteps[index].dropText()
    }
  }

  // MARK: Taking back

  /// The steps of an earlier command, last first, if it may be taken back.
  ///
  /// - Parameter name: what the stream's things are called: "mail".
  /// - Throws: `not-found` where the command is not among the last ones, and `rejected` where it was
  ///   taken back before, cannot be, or touched what was changed since, naming the ids.
  func stepsToUndo(_ id: CommandID, of name: String) throws(ServiceError) -> [Step] {
    guard let index = commands.lastIndex(where: { $0.id == id }) else {
      throw ServiceError(
        .notFound,
        "no command '\(id)' is among the last \(Self.commandLimit) that changed this stream")
    }
    if let undoer = commands.first(where: { $0.undoes == number(at: index) }) {
      throw ServiceError(
        .rejected,
        "the command was taken back before, by '\(undoer.id)'; to redo it, undo that one")
    }
    guard !commands[index].isRun else {
      throw ServiceError(
        .rejected, "'\(id)' is one of several commands of the service, which stay as they are")
    }
    let steps = steps(at: index)
    if let reason = steps.lazy.compactMap(\.refusal).first {
      throw ServiceError(.rejected, "the command cannot be taken back: it \(reason)")
    }
    try checkUntouched(steps, since: index, name)
    return steps.reversed()
  }

  private func number(at index: Int) -> Int { firstNumber + index - commands.startIndex }

  private func steps(at index: Int) -> ArraySlice<Step> {
    let start = commands[..<index].reduce(steps.startIndex) { $0 + $1.stepCount }
    return steps[start..<start + commands[index].stepCount]
  }

  private func checkUntouched(
    _ steps: ArraySlice<Step>, since index: Int, _ name: String
  ) throws(ServiceError) {
    let later = effectiveSteps(after: index)
    if later.isEmpty { return }
    var fields = Set<UndoField>()
    for step in steps { step.forEachField { fields.insert($0) } }
    var changed = Set<UInt32>()
    var isChanged = false
    for step in later.joined() {
      step.forEachField { field in
        guard fields.contains(field) else { return }
        isChanged = true
        if field.isOfRow { changed.insert(field.id) }
      }
    }
    guard isChanged else { return }
    let what =
      switch changed.count {
      case 0: "what it set"
      case 1: "\(name) \(changed.first!)"
      default: "what it changed of \(changed.count) \(name)s"
      }
    throw ServiceError(
      .rejected, "\(what) was changed since the command, so it cannot be taken back",
      ids: changed.sorted().map { Int($0) })
  }

  /// The steps of the commands behind `index` that are in effect: a command that was taken back
  /// since, and the one that did so, cancel each other out.
  private func effectiveSteps(after index: Int) -> [ArraySlice<Step>] {
    let limit = number(at: index)
    var cancelled = Set<Int>()
    var effective: [ArraySlice<Step>] = []
    var end = steps.endIndex
    for later in commands.indices[(index + 1)...].reversed() {
      let command = commands[later]
      let start = end - command.stepCount
      defer { end = start }
      if cancelled.contains(number(at: later)) { continue }
      if command.undoes > limit {
        cancelled.insert(command.undoes)
      } else {
        effective.append(steps[start..<end])
      }
    }
    return effective
  }
}

extension UndoJournal: Equatable {
  /// What was dropped, or is to be, makes no difference.
  static func == (a: Self, b: Self) -> Bool {
    a.commandCount == b.commandCount && a.commands == b.commands && a.steps == b.steps
  }
}
