/// What failed, and when it is tried again: each failure in a row doubles the pause.
///
/// It is bounded: where much of one kind fails in one stream, that group waits as one.
struct Postponements {
  private struct Pause {
    var failures = 0
    /// In milliseconds of the monotonic clock.
    var until = 0
  }

  private let limits: ProcessRunner.Limits
  private var works: [AgendaExclusions.Work: Pause] = [:]
  private var groups: [AgendaExclusions.Group: Pause] = [:]
  /// How many works of a group wait by themselves.
  private var members: [AgendaExclusions.Group: Set<AgendaExclusions.Work>] = [:]

  init(_ limits: ProcessRunner.Limits) { self.limits = limits }

  /// How much waits: works, and groups as one each.
  var count: Int { works.count + groups.count }

  /// What is not to be tried at `now`.
  func exclusions(at now: Int) -> AgendaExclusions {
    var exclusions = AgendaExclusions()
    for (work, pause) in works where pause.until > now { exclusions.works.insert(work) }
    for (group, pause) in groups where pause.until > now { exclusions.groups.insert(group) }
    return exclusions
  }

  /// When the next of them may be tried; nil where none waits.
  func next(after now: Int) -> Int? {
    let pauses = [
      works.values.lazy.map(\.until).filter { $0 > now }.min(),
      groups.values.lazy.map(\.until).filter { $0 > now }.min(),
    ]
    return pauses.compactMap { $0 }.min()
  }

  /// A stream that has gone on since the agenda was looked at: all that waits for it is tried again
  /// after the shortest pause, each time, so that it is done in the first lull.
  mutating func note(conflictOf work: DueWork, at now: Int) {
    if groups[work.group] != nil { groups[work.group]?.failures = 0 }
    works[work.key]?.failures = 0
    note(failureOf: work, at: now)
  }

  mutating func note(failureOf work: DueWork, at now: Int) {
    let (key, group) = (work.key, work.group)
    if groups[group] != nil {
      // Several of one try count once.
      guard groups[group, default: Pause()].until <= now else { return }
      return Self.lengthen(&groups[group, default: Pause()], limits, at: now)
    }
    Self.lengthen(&works[key, default: Pause()], limits, at: now)
    members[group, default: []].insert(key)
    guard members[group, default: []].count > limits.postponedWorks else { return }
    let failures = drop(group).map(\.failures).max() ?? 1
    groups[group] = Pause(failures: failures, until: now + limits.pause(after: failures))
  }

  mutating func note(successOf work: DueWork) {
    if !groups.isEmpty { groups[work.group] = nil }
    if !works.isEmpty, works.removeValue(forKey: work.key) != nil {
      members[work.group]?.remove(work.key)
      if members[work.group]?.isEmpty == true { members[work.group] = nil }
    }
  }

  /// Forgets what waited, was free to be tried, and did not fail since: it is in no agenda any more.
  mutating func forgetSettled(at now: Int) {
    let horizon = now - 2 * limits.longestPauseMilliseconds
    groups = groups.filter { $0.value.until > horizon }
    guard works.values.contains(where: { $0.until <= horizon }) else { return }
    works = works.filter { $0.value.until > horizon }
    members = members.mapValues { $0.filter { works[$0] != nil } }.filter { !$0.value.isEmpty }
  }

  private mutating func drop(_ group: AgendaExclusions.Group) -> [Pause] {
    (members.removeValue(forKey: group) ?? []).compactMap { works.removeValue(forKey: $0) }
  }

  private static func lengthen(
    _ pause: inout Pause, _ limits: ProcessRunner.Limits, at now: Int
  ) {
    pause.failures += 1
    pause.until = now + limits.pause(after: pause.failures)
  }
}

extension DueWork {
  var key: AgendaExclusions.Work { .init(kind: kind, cause: cause) }
  var group: AgendaExclusions.Group { .init(kind: kind, stream: stream) }
}

extension ProcessRunner.Limits {
  /// The pause behind so many failures in a row, in milliseconds.
  func pause(after failures: Int) -> Int {
    min(firstPauseMilliseconds << min(failures - 1, 20), longestPauseMilliseconds)
  }
}
