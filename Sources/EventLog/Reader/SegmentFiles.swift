internal import ActorRuntime
internal import EventSourcing

/// Segments opened for reading; the ones used lately stay open.
final class SegmentFiles: Sendable {
  private struct State {
    var cache: BoundedCache<UInt64, any LogFile>
    var isClosed = false
  }

  private let storage: any LogStorage
  private let state: Lock<State>
  /// What is being written over records of these files.
  let transit = RecordsInTransit()

  init(storage: any LogStorage, limit: Int) {
    self.storage = storage
    state = Lock(State(cache: BoundedCache(limit: limit)))
  }

  func file(of segment: Segment) throws(ReadError) -> any LogFile {
    let (known, isClosed) = state.withLock { state in
      (state.cache.value(for: segment.first), state.isClosed)
    }
    if isClosed { throw .failed(reason: "it is closed") }
    if let known { return known }
    do throws(StorageError) {
      let file = SteadyFile(
        try storage.open(segment.path, .read), segment: segment.first, transit: transit)
      state.withLock { $0.cache.insert(file, for: segment.first) }
      return file
    } catch {
      throw .failed(reason: error.description)
    }
  }

  /// Bytes of the segment's file; fewer than asked for only at its end.
  func bytes(of segment: Segment, _ count: Int, at offset: Int) throws(ReadError) -> [UInt8] {
    let file = try self.file(of: segment)
    do throws(StorageError) {
      return try file.bytes(count, at: offset)
    } catch {
      throw .failed(reason: error.description)
    }
  }

  /// Lets go of the files; reads that have begun still end well.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.cache.removeAll()
    }
  }
}
