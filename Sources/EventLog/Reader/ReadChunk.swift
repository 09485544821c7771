internal import ActorRuntime
internal import EventSourcing

/// Memory that parts of files are read to, one after the other.
struct ReadChunk: Sendable {
  private var buffer: [UInt8] = []

  var count: Int { buffer.count }

  /// Reads `count` bytes; `use` gets them, fewer only at the file's end.
  mutating func read<Result>(
    _ count: Int, from file: any LogFile, at offset: Int,
    _ use: (UnsafeRawBufferPointer) throws(ReadError) -> Result
  ) throws(ReadError) -> Result {
    if buffer.count < count {
      buffer = [UInt8](repeating: 0, count: max(count, RecordReader.chunkSize))
    }
    return try buffer.withUnsafeMutableBufferPointer { buffer throws(ReadError) in
      let out = UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
      let read: Int
      do throws(StorageError) {
        read = try file.read(into: out, at: offset)
      } catch {
        throw .failed(reason: error.description)
      }
      return try use(UnsafeRawBufferPointer(out).part(0..<read))
    }
  }
}

/// Chunks to be used again, by whichever thread reads next.
final class ChunkPool: Sendable {
  private static let pooled = 16
  /// One that grew beyond this, for one large record, is not kept.
  private static let keptBytes = 2 * RecordReader.chunkSize

  private let chunks = Lock<[ReadChunk]>([])

  func take() -> ReadChunk { chunks.withLock { $0.popLast() } ?? ReadChunk() }

  func give(_ chunk: ReadChunk) {
    guard chunk.count <= Self.keptBytes else { return }
    chunks.withLock { if $0.count < Self.pooled { $0.append(chunk) } }
  }
}
