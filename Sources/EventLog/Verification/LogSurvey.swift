internal import Digests
internal import EventSourcing

/// A log's files, what they hold, and how they fit together.
struct LogSurvey {
  let inventory: LogInventory
  /// In order; where a part only was surveyed, the last of the log's segments.
  let links: [ChainCheck.Link]
  let damages: [LogDamage]
  /// How far the log is known to have been durable; where no segment is left, by its mark.
  let durableHead: UInt64

  init(
    inventory: LogInventory, inspections: [SegmentInspection], start: Int, durableHead: UInt64
  ) {
    self.inventory = inventory
    let lost = inventory.entries.isEmpty ? inventory.strays.last?.lost : nil
    self.durableHead = lost?.upperBound ?? durableHead
    links = zip(inventory.entries[start...], inspections).map { entry, inspection in
      ChainCheck.Link(entry: entry, inspection: inspection)
    }
    let chain = ChainCheck(
      links, log: inventory.log, behind: start > 0 ? inventory.entries[start - 1] : nil)
    damages = inventory.strays + chain.damages
  }

  var report: LogReport {
    var report = LogReport()
    report.log = inventory.log
    report.segments = links.count
    for link in links {
      report.records += link.inspection.records
      report.erased += link.inspection.erased
      report.bytes += link.inspection.end
    }
    report.damages = damages
    guard let newest = links.last else { return report }
    report.head = newest.inspection.nextPosition - 1
    report.unfinished = newest.inspection.unfinishedAt.map {
      LogPlace(file: newest.entry.name, offset: $0)
    }
    if links.count > 1, let sealed = links.dropLast().last, let digest = sealed.inspection.digest {
      report.sealed = LogReport.Seal(
        position: sealed.inspection.nextPosition - 1, digest: digest)
    }
    return report
  }

  /// How many sealed segments have no index file that fits them.
  func worthlessIndexes(in directory: LogDirectory) -> Int {
    let sealed = Array(links.dropLast())
    let sections = IndexImage.Section.allCases
    // By section, as there may be few segments.
    let areGood = Parallel.map(Array(0..<sealed.count * sections.count)) { number in
      isIndexed(sealed[number / sections.count], sections[number % sections.count], in: directory)
    }
    return sealed.indices.count { segment in
      areGood[segment * sections.count..<(segment + 1) * sections.count].contains(false)
    }
  }

  private func isIndexed(
    _ link: ChainCheck.Link, _ section: IndexImage.Section, in directory: LogDirectory
  ) -> Bool {
    guard let header = link.entry.header, let digest = link.inspection.digest else {
      return false
    }
    let file = IndexFile(
      storage: directory.storage, directory: directory.index, first: header.first)
    let seal = Segment.Seal(
      count: link.inspection.records, length: link.inspection.end, digest: digest)
    return file.section(section, log: header.log, first: header.first, seal: seal) != nil
  }
}
