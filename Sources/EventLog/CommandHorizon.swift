/// The last commands that wrote events, so that one sent again is found: key → position, the oldest
/// forgotten first. Of two commands with one key the newer counts.
///
/// A remembered command costs 32 to 48 bytes: 8 for the key, 8 for the position, and 16 to 32 in the
/// tables that find it (powers of two of 8-byte slots, at least twice the commands). The default of
/// 1,000,000 commands takes 33 MB, which come as the commands come: in chunks, and in many small
/// tables that grow one at a time, so that no command waits until all of them are moved.
struct CommandHorizon {
  private let limit: Int
  private var keys = ChunkedNumbers()
  private var positions = ChunkedNumbers()
  /// Where the next command goes once `limit` are remembered: over the oldest.
  private var oldest = 0
  /// By the top bits of the key's hash.
  private var tables: [CommandTable]

  static let tableBits: UInt64 = 8

  /// - Parameter limit: how many are remembered, 1 to 1,000,000,000.
  init(limit: Int) {
    self.limit = min(max(limit, 1), 1_000_000_000)
    tables = (0..<1 << Int(Self.tableBits)).map { _ in CommandTable() }
  }

  /// A horizon with commands in it, oldest first, each taken from `next` until that has no more.
  ///
  /// Entered one by one they would go all over the memory, which costs most of a start's time; so
  /// each table is filled at once.
  ///
  /// - Precondition: `next` gives at most `limit` commands.
  init(limit: Int, _ next: () -> (key: UInt64, position: UInt64)?) {
    self.init(limit: limit)
    var entries = [[CommandTable.Entry]](repeating: [], count: tables.count)
    while let command = next() {
      precondition(keys.count < self.limit)
      let hash = Self.hash(of: command.key)
      entries[Self.table(of: hash)].append(.init(hash: hash, index: UInt32(keys.count)))
      keys.append(command.key)
      positions.append(command.position)
    }
    for index in tables.indices { tables[index] = CommandTable(entries[index], keys: keys) }
  }

  var count: Int { keys.count }

  /// What all of it takes, room that was made included.
  var allocatedBytes: Int {
    keys.allocatedBytes + positions.allocatedBytes
      + tables.reduce(0) { $0 + $1.allocatedBytes + CommandTable.ownBytes }
  }

  func position(of key: UInt64) -> UInt64? {
    let hash = Self.hash(of: key)
    return tables[Self.table(of: hash)].index(of: key, hash: hash, in: keys).map { positions[$0] }
  }

  /// Brings near what a look for the key goes to.
  func prefetch(_ key: UInt64) {
    let hash = Self.hash(of: key)
    tables[Self.table(of: hash)].prefetch(hash: hash)
  }

  /// How many commands ahead their places in the tables are fetched.
  private static let lookahead = 8

  /// Enters commands, oldest first.
  mutating func insert(_ commands: some RandomAccessCollection<(key: UInt64, position: UInt64)>) {
    var ahead = commands.startIndex
    for (number, command) in commands.enumerated() {
      while ahead != commands.endIndex,
        commands.distance(from: commands.startIndex, to: ahead) <= number + Self.lookahead
      {
        prefetch(commands[ahead].key)
        ahead = commands.index(after: ahead)
      }
      prefetchForgetting(ahead: Self.lookahead)
      insert(key: command.key, position: command.position)
    }
  }

  /// The same for the commands that will be forgotten for those.
  private func prefetchForgetting(ahead: Int) {
    guard keys.count == limit, limit > ahead else { return }
    let index = oldest + ahead
    prefetch(keys[index < limit ? index : index - limit])
  }

  mutating func insert(key: UInt64, position: UInt64) {
    let index: Int
    if keys.count < limit {
      index = keys.count
      keys.append(key)
      positions.append(position)
    } else {
      index = oldest
      let hash = Self.hash(of: keys[index])
      tables[Self.table(of: hash)].forget(index, hash: hash)
      keys[index] = key
      positions[index] = position
      oldest = oldest + 1 == limit ? 0 : oldest + 1
    }
    let hash = Self.hash(of: key)
    tables[Self.table(of: hash)].insert(index, hash: hash, keys: keys)
  }

  // Keys are hashes already; the multiplication is for those who choose theirs.
  static func hash(of key: UInt64) -> UInt64 { key &* 0x9E37_79B9_7F4A_7C15 }

  private static func table(of hash: UInt64) -> Int { Int(hash >> (64 - tableBits)) }
}

/// Numbers in chunks, so that room for more never means moving those that are there.
struct ChunkedNumbers {
  private static let chunkBits = 13
  private static let chunkSize = 1 << chunkBits

  private var chunks: [[UInt64]] = []
  private(set) var count = 0

  var allocatedBytes: Int {
    chunks.reduce(chunks.capacity * 8) { $0 + $1.capacity * 8 }
  }

  subscript(index: Int) -> UInt64 {
    get { chunks[index >> Self.chunkBits][index & (Self.chunkSize - 1)] }
    set { chunks[index >> Self.chunkBits][index & (Self.chunkSize - 1)] = newValue }
  }

  mutating func append(_ number: UInt64) {
    if count & (Self.chunkSize - 1) == 0 {
      var chunk: [UInt64] = []
      chunk.reserveCapacity(Self.chunkSize)
      chunks.append(chunk)
    }
    chunks[chunks.count - 1].append(number)
    count += 1
  }
}
