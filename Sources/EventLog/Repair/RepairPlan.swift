internal import EventSourcing

/// Which segments stay, which are made anew, and what goes between them.
struct RepairPlan {
  /// A segment of the repaired log.
  struct Part {
    /// Nil where a segment is missing.
    let link: ChainCheck.Link?
    let positions: ClosedRange<UInt64>?
    let first: UInt64
    /// Whether its content is written anew, rather than its header at most.
    let isRebuilt: Bool
  }

  /// Filling takes memory and room for each lost position, so no more than these are filled. A
  /// damaged or foreign mark may claim any number.
  static let fillLimit = 10_000_000

  private(set) var parts: [Part] = []
  /// Files that do not belong into the log.
  private(set) var outcasts: [String] = []
  /// Where the log ends then.
  private(set) var head: UInt64 = 0

  /// Everything that can be read stays.
  static func fill(_ survey: LogSurvey) -> RepairPlan {
    var plan = RepairPlan()
    let links = plan.usable(survey)
    var due: UInt64 = 1
    for (index, link) in links.enumerated() {
      plan.fill(from: due, before: link.entry.first)
      let next = index + 1 < links.count ? links[index + 1].entry : nil
      let isFollowed = next?.header.map { $0.previousFirst == link.entry.first } ?? true
      let isWhole = link.inspection.damages.isEmpty
      var last = link.inspection.nextPosition - 1
      if let next, isFollowed || !isWhole { last = next.first - 1 }
      if next == nil { last = max(last, survey.durableHead) }
      plan.add(link, upTo: last, isRebuilt: !isWhole || last >= link.inspection.nextPosition)
      due = last + 1
    }
    if links.isEmpty { plan.fill(from: 1, before: survey.durableHead + 1) }
    return plan
  }

  /// The log ends with `head`.
  static func cut(_ survey: LogSurvey, head: UInt64) -> RepairPlan {
    var plan = RepairPlan()
    for link in plan.usable(survey) {
      let last = link.inspection.nextPosition - 1
      if link.entry.first > head, !plan.parts.isEmpty || link.entry.first > 1 {
        plan.outcasts.append(link.entry.name)
      } else {
        plan.add(
          link, upTo: min(last, head),
          isRebuilt: last > head || !link.inspection.damages.allSatisfy(\.isLostEnd))
      }
    }
    return plan
  }

  /// The segments that have a place in the log, the others becoming outcasts.
  private mutating func usable(_ survey: LogSurvey) -> [ChainCheck.Link] {
    outcasts = survey.inventory.strays.map(\.file).filter { $0.hasSuffix(FileFormat.segmentSuffix) }
    var links: [ChainCheck.Link] = []
    for link in survey.links {
      let isForeign = link.entry.header.map { $0.log != survey.inventory.log } ?? false
      let begins = links.last.map {
        max($0.inspection.nextPosition, $0.entry.first + 1)
      }
      if isForeign || link.entry.first < begins ?? 1 {
        outcasts.append(link.entry.name)
      } else {
        links.append(link)
      }
    }
    return links
  }

  private mutating func add(_ link: ChainCheck.Link, upTo last: UInt64, isRebuilt: Bool) {
    let first = link.entry.first
    parts.append(
      Part(
        link: link, positions: first <= last ? first...last : nil, first: first,
        isRebuilt: isRebuilt || link.entry.name != FileFormat.segmentName(first: first)))
    head = max(last, head)
  }

  /// Makes up what is missing between segments.
  private mutating func fill(from first: UInt64, before end: UInt64) {
    guard first < end else { return }
    parts.append(Part(link: nil, positions: first...end - 1, first: first, isRebuilt: true))
    head = end - 1
  }

  /// How many positions of the repaired log no record can be read for.
  var lostCount: Int { lost.reduce(0) { $0 + $1.count } }

  /// These positions, in order.
  var lost: [ClosedRange<UInt64>] {
    var lost: [ClosedRange<UInt64>] = []
    for part in parts where part.isRebuilt {
      guard let positions = part.positions else { continue }
      var due = positions.lowerBound
      for piece in part.link?.inspection.pieces ?? [] {
        let range = piece.positions
        if range.lowerBound > due {
          lost.append(due...min(range.lowerBound - 1, positions.upperBound))
        }
        due = max(due, range.upperBound + 1)
        if due > positions.upperBound { break }
      }
      if due <= positions.upperBound { lost.append(due...positions.upperBound) }
    }
    return lost
  }
}

extension SegmentInspection.Piece {
  var positions: ClosedRange<UInt64> {
    switch self {
    case .batches(_, let positions): positions
    case .record(_, let position): position...position
    }
  }

  var bytes: Range<Int> {
    switch self {
    case .batches(let bytes, _): bytes
    case .record(let bytes, _): bytes
    }
  }
}
