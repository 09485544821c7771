/// One directory's names: as programs see them, as the disk has them, and the changes between.
struct SimulatedDirectory {
  private enum Change {
    case add(String, Int)
    case rename(String, to: String, Int)
    case remove(String)

    var names: [String] {
      switch self {
      case .add(let name, _), .remove(let name): [name]
      case .rename(let old, let new, _): [old, new]
      }
    }
  }

  /// Files' numbers by their names.
  private(set) var seen: [String: Int] = [:]
  private(set) var durable: [String: Int] = [:]
  private var changes: [Change] = []

  mutating func add(_ name: String, _ file: Int) { make(.add(name, file)) }

  /// - Precondition: there is a file named `old`.
  mutating func rename(_ old: String, to new: String) {
    guard let file = seen[old] else { return }
    make(.rename(old, to: new, file))
  }

  mutating func remove(_ name: String) { make(.remove(name)) }

  private mutating func make(_ change: Change) {
    Self.apply(change, to: &seen)
    changes.append(change)
  }

  mutating func sync() {
    durable = seen
    changes = []
  }

  /// The power fails. Mostly the changes have reached the disk up to some point, as a journal
  /// writes them; else any of them, but none that builds on one that is lost.
  mutating func losePower(_ random: inout SeededRandom) {
    if random.chance(oneIn: 2) {
      for change in changes[..<Int.random(in: 0...changes.count, using: &random)] {
        Self.apply(change, to: &durable)
      }
    } else {
      var lost: Set<String> = []
      for change in changes {
        if random.chance(oneIn: 2) || !lost.isDisjoint(with: change.names) {
          lost.formUnion(change.names)
        } else {
          Self.apply(change, to: &durable)
        }
      }
    }
    seen = durable
    changes = []
  }

  private static func apply(_ change: Change, to names: inout [String: Int]) {
    switch change {
    case .add(let name, let file): names[name] = file
    case .rename(let old, let new, let file):
      names[old] = nil
      names[new] = file
    case .remove(let name): names[name] = nil
    }
  }
}
