internal import EventSourcing

/// Fills the horizon at the start from the newest segments' indexes: as far back as it reaches, and
/// no further.
struct HorizonLoader {
  let indexes: SegmentIndexes
  let limit: Int

  func load(_ segments: [Segment]) throws(EventLogError) -> CommandHorizon {
    do throws(ReadError) {
      return try horizon(of: segments)
    } catch {
      throw .unreadable(error)
    }
  }

  private func horizon(of segments: [Segment]) throws(ReadError) -> CommandHorizon {
    var first = segments.count
    var found = 0
    while first > 0 && found < limit {
      first -= 1
      found += try commands(of: segments[first]).count
    }
    var horizon = CommandHorizon(limit: limit)
    // The first of these segments may have more than the horizon reaches back to.
    var surplus = max(0, found - limit)
    for segment in segments[first...] {
      for command in try commands(of: segment).dropFirst(surplus) {
        horizon.insert(key: command.key, position: segment.first + UInt64(command.ordinal))
      }
      surplus = 0
    }
    return horizon
  }

  private func commands(of segment: Segment) throws(ReadError) -> [LiveIndex.Command] {
    if let commands = segment.withLive({ $0.commands }) { return commands }
    guard let seal = segment.seal else { return [] }
    let section = try indexes.section(.commands, of: segment, seal)
    let size = IndexImage.commandSize
    return (0..<section.bytes.count / size).map { index in
      LiveIndex.Command(
        key: section.number(at: index * size), ordinal: section.number(at: index * size + 8))
    }
  }
}
