internal import EventSourcing

/// Fills the horizon at the start from the newest segments' indexes: as far back as it reaches, and
/// no further.
struct HorizonLoader {
  let indexes: SegmentIndexes
  let limit: Int

  /// What is remembered, and why it is not all there is to remember.
  struct Loaded {
    var horizon: CommandHorizon
    var gap: ReadError?
  }

  /// A damaged segment whose index is gone does not stop a start: what depends on its commands is
  /// refused instead.
  func load(_ segments: [Segment]) throws(EventLogError) -> Loaded {
    var gap: ReadError?
    // Newest first.
    var parts: [(first: UInt64, commands: ArraySlice<LiveIndex.Command>)] = []
    var room = limit
    for segment in segments.reversed() where room > 0 {
      do throws(ReadError) {
        let commands = try commands(of: segment).suffix(room)
        room -= commands.count
        parts.append((segment.first, commands))
      } catch {
        guard case .damaged = error else { throw .unreadable(error) }
        gap = error
      }
    }
    var remembered = parts.reversed().lazy.flatMap { part in
      part.commands.lazy.map { (key: $0.key, position: part.first + UInt64($0.ordinal)) }
    }.makeIterator()
    return Loaded(horizon: CommandHorizon(limit: limit) { remembered.next() }, gap: gap)
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
