internal import EventSourcing
internal import FastJSON

/// Which stream and revision each lost position had, as far as that can be told.
///
/// A stream's records have its revisions one by one, so a record that can be read and is not the
/// next revision shows how many of its stream are missing between the two. Each of these is given
/// a lost position between them. Where an index of the damaged segment is left, it tells without
/// guessing. What nothing tells of belongs to a stream of its own.
struct LostRecords {
  struct Name {
    let stream: StreamID
    let revision: UInt64
  }

  /// A missing revision, and between which positions it was.
  struct Gap {
    let name: Name
    let after: UInt64
    let before: UInt64
  }

  static let type: EventType = "log.lost"

  static func data(reason: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("reason")
    writer.value(reason)
    writer.endObject()
    return writer.bytes
  }

  private var names: [UInt64: Name] = [:]

  /// - Parameters:
  ///   - positions: all that are lost, in order.
  ///   - known: what indexes tell.
  ///   - gaps: what records tell.
  init(positions: [UInt64], known: [UInt64: Name], gaps: [Gap]) throws(RepairError) {
    names = known
    assign(gaps, to: positions.filter { known[$0] == nil })
    let rest = positions.filter { names[$0] == nil }
    guard let first = rest.first else { return }
    let stream: StreamID
    do throws(StreamIDError) {
      stream = try StreamID("system/lost-\(first)")
    } catch {
      throw .impossible(reason: "\(error)")
    }
    for (index, position) in rest.enumerated() {
      names[position] = Name(stream: stream, revision: UInt64(index) + 1)
    }
  }

  func name(of position: UInt64) -> Name? { names[position] }

  /// Gives each gap the first free position in its bounds, the most urgent first, which finds a
  /// place for all where there is a way to.
  private mutating func assign(_ gaps: [Gap], to positions: [UInt64]) {
    // The index of the first free position at or behind each.
    var free = Array(0...positions.count)
    func firstFree(_ index: Int) -> Int {
      var root = index
      while free[root] != root { root = free[root] }
      var next = index
      while free[next] != root { (free[next], next) = (root, free[next]) }
      return root
    }
    let order = gaps.sorted {
      ($0.before, $0.after, $0.name.revision) < ($1.before, $1.after, $1.name.revision)
    }
    for gap in order {
      let place = firstFree(positions.firstIndex(above: gap.after))
      guard place < positions.count, positions[place] < gap.before else { continue }
      names[positions[place]] = gap.name
      free[place] = place + 1
    }
  }
}

extension [UInt64] {
  /// Where the first element is that is greater than `value`; they are in order.
  fileprivate func firstIndex(above value: UInt64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
