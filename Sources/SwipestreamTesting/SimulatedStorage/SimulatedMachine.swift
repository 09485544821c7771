internal import EventLog
internal import Glibc

/// The contents of a ``SimulatedStorage``.
struct SimulatedMachine {
  /// What becomes of a call.
  enum Verdict {
    case goesOn
    case fails(CInt)
    /// The machine stops in the middle of it.
    case stops
  }

  struct Rule {
    let operation: StorageError.Operation
    /// In the file's path.
    let fragment: String
    let code: CInt
    /// How many calls it lets pass first.
    var skip: Int
    /// How many calls then fail.
    var count: Int
    /// How many bytes a failing write writes all the same.
    let partialWrite: Int
  }

  var random: SeededRandom
  var directories: [String: SimulatedDirectory] = [:]
  var contents: [Int: SimulatedContent] = [:]
  var nextFile = 1
  var locks: Set<String> = []
  var faults = StorageFaults()
  var counts = StorageCounts()
  var rules: [Rule] = []
  var calls: [String] = []
  var keepsCalls = false
  /// Files opened before the last start are dead.
  var generation = 0
  var isStopped = false
  var callsUntilStop: Int?
  /// The kind of call to stop in; nil for any.
  var stoppingOperation: StorageError.Operation?
  /// How many bytes of the failing write a rule lets through.
  private(set) var partialWrite: Int?

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// Decides on a call before any of it is done.
  ///
  /// - Parameter generation: of the open file that it goes to.
  mutating func verdict(
    _ operation: StorageError.Operation, _ path: String, generation: Int? = nil
  ) throws(StorageError) -> Verdict {
    if isStopped || generation ?? self.generation != self.generation {
      throw StorageError(operation, path: path, code: EIO)
    }
    counts.calls += 1
    if keepsCalls { calls.append("\(operation.rawValue) \(Self.name(of: path))") }
    if let left = callsUntilStop, stoppingOperation ?? operation == operation {
      callsUntilStop = left - 1
      if left == 0 {
        isStopped = true
        return .stops
      }
    }
    if let code = ruledFailure(operation, path) ?? randomFailure(operation) {
      counts.faults += 1
      return .fails(code)
    }
    return .goesOn
  }

  private mutating func ruledFailure(
    _ operation: StorageError.Operation, _ path: String
  ) -> CInt? {
    for index in rules.indices
    where rules[index].operation == operation && path.contains(rules[index].fragment)
      && rules[index].count > 0
    {
      if rules[index].skip > 0 {
        rules[index].skip -= 1
        continue
      }
      rules[index].count -= 1
      partialWrite = rules[index].partialWrite
      return rules[index].code
    }
    return nil
  }

  private mutating func randomFailure(_ operation: StorageError.Operation) -> CInt? {
    guard let odds = faults.odds[operation], random.chance(oneIn: odds) else { return nil }
    partialWrite = nil
    let needsRoom: Set<StorageError.Operation> = [.open, .write, .preallocate, .rename, .truncate]
    return needsRoom.contains(operation) && random.chance(oneIn: 2) ? ENOSPC : EIO
  }

  /// How many of a failing or interrupted write's bytes reach the file.
  mutating func part(of count: Int) -> Int {
    if let partialWrite { return min(partialWrite, count) }
    return Int.random(in: 0...count, using: &random)
  }

  /// Whether something that the machine stopped in the middle of was done.
  mutating func wasDone() -> Bool {
    partialWrite = nil
    return random.chance(oneIn: 2)
  }

  mutating func full(_ operation: StorageError.Operation, _ path: String) -> StorageError {
    counts.faults += 1
    return StorageError(operation, path: path, code: ENOSPC)
  }

  mutating func restart(after loss: StorageLoss) {
    generation += 1
    isStopped = false
    callsUntilStop = nil
    locks = []
    counts.restarts += 1
    if loss == .power { losePower() }
    let reachable = Set(directories.values.flatMap { $0.seen.values })
    contents = contents.filter { reachable.contains($0.key) }
  }

  // In an order that depends on nothing but the seed.
  private mutating func losePower() {
    let keepsWrites = [0, 10, 50, 90, 100].randomElement(using: &random) ?? 50
    for path in directories.keys.sorted() { directories[path]?.losePower(&random) }
    for file in contents.keys.sorted() {
      contents[file]?.losePower(&random, keepsWrites: keepsWrites)
    }
  }

  // MARK: Paths

  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  func file(at path: String) -> Int? {
    directories[Self.parent(of: path)]?.seen[Self.name(of: path)]
  }
}
