internal import EventSourcing

/// The service's own commands under way, sent in groups, each group with somebody who waits for all of
/// its answers.
struct ServiceCommandSlots {
  typealias Answers = [Result<CommandReceipt, ServiceError>]

  private struct Group {
    var answers: [Result<CommandReceipt, ServiceError>?]
    var missing: Int
    let waiting: CheckedContinuation<Answers, Never>
  }

  private static let indexBits = 20
  /// How many commands a group may have.
  static let groupLimit = 1 << indexBits

  private var groups: [Int: Group] = [:]
  private var lastGroup = 0

  /// - Returns: the group's number, for ``token(_:in:)``.
  mutating func begin(
    _ count: Int, _ waiting: CheckedContinuation<Answers, Never>
  ) -> Int {
    precondition((1...Self.groupLimit).contains(count))
    lastGroup += 1
    groups[lastGroup] = Group(
      answers: Array(repeating: nil, count: count), missing: count, waiting: waiting)
    return lastGroup
  }

  /// What travels with a command: negative, as no client's token is.
  static func token(_ index: Int, in group: Int) -> Int { -1 - (group << indexBits | index) }

  mutating func settle(_ token: Int, _ answer: Result<CommandReceipt, ServiceError>) {
    let place = -1 - token
    let (number, index) = (place >> Self.indexBits, place & (Self.groupLimit - 1))
    // Nobody waits any more for what was failed.
    guard var group = groups.removeValue(forKey: number) else { return }
    if group.answers[index] == nil { group.missing -= 1 }
    group.answers[index] = answer
    if group.missing > 0 {
      groups[number] = group
    } else {
      group.waiting.resume(returning: group.answers.compactMap { $0 })
    }
  }

  /// Lets nobody wait any longer.
  mutating func failAll(_ error: ServiceError) {
    for group in groups.values {
      group.waiting.resume(returning: group.answers.map { $0 ?? .failure(error) })
    }
    groups = [:]
  }
}
