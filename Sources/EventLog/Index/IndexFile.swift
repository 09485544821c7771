internal import Digests
internal import EventSourcing

/// Index files: disposable, so whatever is wrong with one, it just is not there.
struct IndexFile {
  let storage: any LogStorage
  let path: String

  init(storage: any LogStorage, directory: String, first: UInt64) {
    self.storage = storage
    path = directory + "/" + FileFormat.indexName(first: first)
  }

  /// Writes an index. It is not synced: after a crash its checksums tell whether it is whole.
  func write(_ image: IndexImage) throws(StorageError) {
    let temporary = path + FileFormat.temporarySuffix
    let file = try storage.open(temporary, .create)
    var offset = 0
    for bytes in [image.header] + image.sections.map(\.bytes) {
      try bytes.withRawBytes { (bytes) throws(StorageError) in try file.write(bytes, at: offset) }
      offset += bytes.count
    }
    try storage.rename(temporary, to: path)
  }

  /// A section; nil where the file is missing, unreadable, damaged, or of another segment.
  func section(
    _ section: IndexImage.Section, log: LogID, first: UInt64, seal: Segment.Seal
  ) -> IndexSection? {
    guard let file = try? storage.open(path, .read),
      let header = read(file, IndexImage.headerSize, at: 0),
      Self.fits(header, log: log, first: first, seal: seal)
    else { return nil }
    let entry = IndexImage.tableEntry(section.rawValue)
    let (offset, length, checksum) = header.withRawBytes {
      (
        $0.number(at: entry, as: UInt64.self), $0.number(at: entry + 8, as: UInt64.self),
        $0.number(at: entry + 16, as: UInt32.self)
      )
    }
    // The header matched its checksum; the bound only keeps a forged one from asking for the moon.
    guard length <= 1 << 32, offset <= 1 << 34,
      let bytes = read(file, Int(length), at: Int(offset)),
      bytes.withRawBytes({ CRC32C.checksum($0) }) == checksum
    else { return nil }
    let content = IndexSection(bytes)
    return content.isPossible(as: section, of: seal) ? content : nil
  }

  private static func fits(
    _ header: [UInt8], log: LogID, first: UInt64, seal: Segment.Seal
  ) -> Bool {
    let expected = [UInt8](zeros: IndexImage.headerSize) {
      IndexImage.putIdentity(log: log, first: first, seal: seal, to: $0)
    }
    return header[0..<56] == expected[0..<56] && header[72..<104] == expected[72..<104]
      && header.withRawBytes {
        CRC32C.checksum($0.part(0..<IndexImage.headerSize - 4))
          == $0.number(at: IndexImage.headerSize - 4)
      }
  }

  private func read(_ file: any LogFile, _ count: Int, at offset: Int) -> [UInt8]? {
    guard let size = try? file.size(), count <= size - offset else { return nil }
    let bytes = try? file.bytes(count, at: offset)
    return bytes?.count == count ? bytes : nil
  }
}

extension LogFile {
  /// Up to `count` bytes from `offset` on; fewer only at the file's end.
  func bytes(_ count: Int, at offset: Int) throws(StorageError) -> [UInt8] {
    var result = Swift.Result<Void, StorageError>.success(())
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(StorageError) {
        let out = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count)
        initialized = try read(into: out, at: offset)
      } catch {
        result = .failure(error)
      }
    }
    try result.get()
    return bytes
  }
}
