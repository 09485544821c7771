internal import EventLog
internal import EventSourcing

/// Bits that flip on the disk.
extension LogSimulation {
  private struct Flip {
    let path: String
    let offset: Int
    let bit: UInt8
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    var isSegment: Bool { path.hasSuffix(".seg") }
  }

  var indexPaths: [String] { storage.paths.filter { $0.hasSuffix(".idx") } }
  private var segmentPaths: [String] { storage.paths.filter { $0.hasSuffix(".seg") } }

  private func segments() -> [String: [UInt8]] {
    storage.snapshot.filter { $0.key.hasSuffix(".seg") }
  }

  /// Flips one bit of a log that is closed: whoever needs it says so, and nothing else changes.
  mutating func flipBits() throws(SimulationFailure) {
    store?.close()
    store = nil
    guard let flip = nextFlip() else { return }
    let withoutIndexes = random.chance(oneIn: 2)
    if withoutIndexes { for path in indexPaths { try? storage.remove(path) } }
    note(
      "bit \(flip.bit) of byte \(flip.offset) of \(flip.name) flips"
        + (withoutIndexes ? ", without indexes" : ""))
    storage.alter(flip.path, at: flip.offset) { $0 ^= 1 << flip.bit }
    let flipped = storage.bytes(of: flip.path)?[flip.offset]
    totals.flips += 1
    if flip.isSegment { try verify(flip) }
    if try isNamed(flip, mustBe: mustBeNamed(flip, withoutIndexes)) { totals.flipsNamed += 1 }
    if storage.bytes(of: flip.path).map({ $0.count > flip.offset ? $0[flip.offset] : nil })
      == flipped
    {
      storage.alter(flip.path, at: flip.offset) { $0 ^= 1 << flip.bit }
    }
  }

  private mutating func nextFlip() -> Flip? {
    let paths = random.chance(oneIn: 5) ? indexPaths : segmentPaths
    guard let path = paths.randomElement(using: &random),
      let count = storage.bytes(of: path)?.count, count > 0
    else { return nil }
    return Flip(
      path: path, offset: Int.random(in: 0..<count, using: &random),
      bit: UInt8.random(in: 0..<8, using: &random))
  }

  /// Whether nothing can be right with this flip. Without an index a sealed segment is read whole;
  /// with one, a batch's header and trailer are met by a thorough check only.
  private func mustBeNamed(_ flip: Flip, _ withoutIndexes: Bool) -> Bool {
    guard flip.isSegment else { return false }
    if flip.path != segmentPaths.last { return withoutIndexes }
    let bytes = storage.bytes(of: flip.path) ?? []
    // Behind the last batch, whose last byte is not zero, there is nothing to be damaged.
    let flipBack = bytes[flip.offset] ^ 1 << flip.bit
    return flipBack != 0 || bytes[(flip.offset + 1)...].contains { $0 != 0 }
  }

  /// A thorough check names each flip in what the log has written, and changes nothing.
  private func verify(_ flip: Flip) throws(SimulationFailure) {
    let before = storage.snapshot
    let report: LogReport?
    do throws(EventLogError) {
      report = try LogVerifier(directory: Self.directory, storage: storage).verify()
    } catch {
      throw failure("the log cannot be verified: \(error)")
    }
    guard storage.snapshot == before else { throw failure("verifying changed the log") }
    let isNamed = report?.damages.contains { $0.file == flip.name } ?? false
    let isWritten = flip.path != segmentPaths.last || mustBeNamed(flip, false)
    if isWritten && !isNamed {
      throw failure("verifying does not name the flip in \(flip.name)", kind: .lost)
    }
  }

  private mutating func isNamed(
    _ flip: Flip, mustBe: Bool
  ) throws(SimulationFailure) -> Bool {
    let before = segments()
    var words: String?
    do throws(EventLogError) {
      store = try SegmentedEventStore.openStepped(
        directory: Self.directory, configuration: configuration, clock: clock, storage: storage)
    } catch {
      words = error.description
      guard segments() == before else { throw failure("a refused start changed the log") }
    }
    if store != nil { words = try damageMet(flip) }
    store?.close()
    store = nil
    note("the flip was named: \(words ?? "no")")
    if let words {
      guard flip.isSegment, words.contains(flip.name) else {
        throw failure("\(flip.name) was flipped, but: \(words)")
      }
    } else if mustBe {
      throw failure("nobody noticed the flip in \(flip.name)", kind: .lost)
    }
    return words != nil
  }

  /// Asks for each event alone, for some by their streams.
  ///
  /// - Returns: what a read says of damage.
  private mutating func damageMet(_ flip: Flip) throws(SimulationFailure) -> String? {
    guard let store else { return nil }
    var words: String?
    let one = ReadLimit(events: 1)
    for event in model.events {
      let before = GlobalPosition(event.position.rawValue - 1)
      let previous = Revision(event.revision.rawValue - 1)
      var answers = [
        Result { () throws(ReadError) in try store.read(after: before, limit: one) }
      ]
      if random.chance(oneIn: 8) {
        answers.append(
          Result { () throws(ReadError) in
            try store.read(event.stream, after: previous, limit: one)
          })
      }
      for answer in answers {
        switch answer {
        case .success(let events):
          if !events.isSame(as: [event]) {
            throw failure("position \(event.position) has other bytes", kind: .lost)
          }
        case .failure(.failed(let reason)): throw failure("a read failed: \(reason)")
        case .failure(let error): words = error.description
        }
      }
    }
    return words
  }
}
