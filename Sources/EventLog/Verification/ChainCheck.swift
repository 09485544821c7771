internal import Digests
internal import EventSourcing

/// Checks what the segments' headers say of one another against what is in the segments.
struct ChainCheck {
  /// A segment with what its file holds.
  struct Link {
    let entry: LogInventory.Entry
    let inspection: SegmentInspection
  }

  private let log: LogID?
  private(set) var damages: [LogDamage] = []

  /// - Parameters:
  ///   - links: in order.
  ///   - first: the segment before the first of `links`; nil where they begin the log.
  init(_ links: [Link], log: LogID?, behind first: LogInventory.Entry?) {
    self.log = log
    for (index, link) in links.enumerated() {
      if let damage = link.entry.damage { damages.append(damage) }
      if let header = link.entry.header { check(header, of: link.entry) }
      if index > 0 {
        check(link, after: links[index - 1])
      } else if let header = link.entry.header {
        check(header, of: link.entry, isBehind: first?.first ?? 0, next: nil)
      }
      damages += link.inspection.damages
    }
  }

  private mutating func check(_ header: SegmentHeader, of entry: LogInventory.Entry) {
    if header.log != log { report(entry, "it is a segment of another log") }
  }

  private mutating func check(_ link: Link, after previous: Link) {
    guard let header = link.entry.header else { return }
    let before = previous.inspection
    check(
      header, of: link.entry, isBehind: previous.entry.first, next: before.nextPosition)
    guard header.previousFirst == previous.entry.first, let digest = before.digest,
      previous.entry.header != nil
    else { return }
    if digest != header.previousDigest {
      report(
        previous.entry,
        positions: header.previousFirst...max(header.first - 1, header.previousFirst),
        "its content is not what the next segment's header was made for")
    } else if before.lastTime != header.previousTime {
      report(link.entry, "its header's time is not that of the record before it")
    }
  }

  /// - Parameter next: the position that the segment before it ends with, plus one.
  private mutating func check(
    _ header: SegmentHeader, of entry: LogInventory.Entry, isBehind previous: UInt64,
    next: UInt64?
  ) {
    if header.previousFirst == previous, previous > 0 || header.first == 1 { return }
    let due = next ?? (previous == 0 ? 1 : header.first)
    let missing = due < header.first ? due...header.first - 1 : nil
    report(entry, positions: missing, lost: missing, "the segment before it is missing")
  }

  private mutating func report(
    _ entry: LogInventory.Entry, positions: ClosedRange<UInt64>? = nil,
    lost: ClosedRange<UInt64>? = nil, _ reason: String
  ) {
    damages.append(
      LogDamage(file: entry.name, offset: 0, positions: positions, lost: lost, reason: reason))
  }
}
