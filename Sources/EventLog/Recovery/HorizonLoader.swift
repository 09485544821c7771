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
    // Newest first.
    var parts: [(first: UInt64, commands: ArraySlice<LiveIndex.Command>)] = []
    var room = limit
    for segment in segments.reversed() where room > 0 {
      let commands = try commands(of: segment).suffix(room)
      room -= commands.count
      parts.append((segment.first, commands))
    }
    var remembered = parts.reversed().lazy.flatMap { part in
      part.commands.lazy.map { (key: $0.key, position: part.first + UInt64($0.ordinal)) }
    }.makeIterator()
    return CommandHorizon(limit: limit) { remembered.next() }
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
