internal import EventSourcing

/// What of the agenda is due.
extension AgendaReader {
  /// What of a batch one stream may take while others have due work too.
  private static let shareDivisor = 8

  /// What is due at a moment, of no more than `limit` works.
  ///
  /// - Parameters:
  ///   - now: in microseconds since 1970.
  ///   - revisions: the streams that are asked for, each with a revision that this file has all
  ///     events up to; nil for all streams.
  func due(
    at now: Int, limit: Int, without exclusions: AgendaExclusions,
    in revisions: [StreamID: Revision]?
  ) throws(ReadModelError) -> AgendaPage {
    try reader.snapshot { () throws(ReadModelError) -> AgendaPage in
      let look = DueLook(now: now, limit: limit, exclusions: exclusions, revisions: revisions)
      let share = max(1, limit / Self.shareDivisor)
      let fair = try works(look) { _, taken in min(share, limit - taken) }
      // What the shares have left goes to the earliest of those that have more.
      var reserved = fair.works.count
      let all =
        !fair.isCutShort || reserved >= limit
        ? fair
        : try works(look) { stream, taken in
          reserved -= fair.works.count { $0.stream == stream }
          return limit - taken - reserved
        }
      guard all.works.isEmpty else { return AgendaPage(works: all.works) }
      return AgendaPage(works: [], next: try next(look, all.visited))
    }
  }

  /// - Parameter room: how much a stream may take, where so much is taken already.
  private func works(
    _ look: DueLook, room: (_ stream: StreamID, _ taken: Int) -> Int
  ) throws(ReadModelError) -> DueFinding {
    var finding = DueFinding()
    dueStreams.bind(1, look.now)
    defer { dueStreams.reset() }
    while finding.works.count < look.limit, try dueStreams.step() {
      guard let stream = try? StreamID(dueStreams.text(1)) else { continue }
      let head = AgendaHead(stream: stream, number: dueStreams.integer(0))
      head.retention = dueStreams.optionalInteger(2)
      if look.revisions.map({ $0[stream] == nil }) ?? false {
        // It became due a moment ago, and the change of the agenda is told.
        continue
      }
      finding.visited.append(head)
      let room = room(stream, finding.works.count)
      try addWorks(of: head, look, room: room, to: &finding)
    }
    return finding
  }

  private func addWorks(
    of head: AgendaHead, _ look: DueLook, room: Int, to finding: inout DueFinding
  ) throws(ReadModelError) {
    var room = room
    for work in AgendaWork.allCases {
      guard let delay = head.delay(of: work),
        !look.exclusions.groups.contains(.init(kind: work.kind, stream: head.stream))
      else { continue }
      dueWork.bind(1, head.number)
      dueWork.bind(2, work.rawValue)
      dueWork.bind(3, look.now - delay)
      defer { dueWork.reset() }
      while try dueWork.step() {
        let cause = GlobalPosition(UInt64(clamping: dueWork.integer(2)))
        if look.exclusions.works.contains(.init(kind: work.kind, cause: cause)) { continue }
        guard room > 0 else {
          finding.isCutShort = true
          break
        }
        room -= 1
        let target = work == .move ? try target(of: dueWork.integer(2)) : nil
        finding.works.append(
          DueWork(
            kind: work.kind, stream: head.stream, subject: dueWork.integer(0),
            due: Timestamp(microseconds: Int64(dueWork.integer(1) + delay)), cause: cause,
            revision: look.revisions?[head.stream] ?? .none,
            target: target.flatMap { try? StreamID($0) }))
      }
    }
  }

  /// When something falls due that is not, of the streams that were visited and of all others.
  private func next(
    _ look: DueLook, _ visited: [AgendaHead]
  ) throws(ReadModelError) -> Timestamp? {
    var next = try first(of: laterStream, look.now)
    for head in visited {
      for work in AgendaWork.allCases {
        guard let delay = head.delay(of: work) else { continue }
        laterWork.bind(1, head.number)
        laterWork.bind(2, work.rawValue)
        guard let since = try first(of: laterWork, look.now - delay, as: 3) else { continue }
        next = min(next ?? .max, since + delay)
      }
    }
    return next.map { Timestamp(microseconds: Int64($0)) }
  }

  private func first(
    of statement: SQLiteStatement, _ bound: Int, as index: Int32 = 1
  ) throws(ReadModelError) -> Int? {
    statement.bind(index, bound)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }
}

/// What is looked for.
private struct DueLook {
  let now: Int
  let limit: Int
  let exclusions: AgendaExclusions
  let revisions: [StreamID: Revision]?
}

private struct DueFinding {
  var works: [DueWork] = []
  var visited: [AgendaHead] = []
  /// Whether a stream has more than its share.
  var isCutShort = false
}
