public import Digests
public import EventSourcing

/// What a verification found.
public struct LogReport: Sendable {
  /// What an auditor may note: whoever changes a byte up to `position` cannot keep it.
  public struct Seal: Sendable, Equatable {
    /// The last position that it covers, from the log's first on.
    public let position: UInt64
    public let digest: SHA256Digest
  }

  /// Nil where no segment's header can be read.
  public internal(set) var log: LogID?
  /// The last position that can be read.
  public internal(set) var head: UInt64 = 0
  public internal(set) var segments = 0
  public internal(set) var records = 0
  /// How many of the records were erased on request.
  public internal(set) var erased = 0
  /// Bytes of segments that were read and are in use.
  public internal(set) var bytes = 0
  public internal(set) var seconds = 0.0
  /// Of the newest sealed segment, and of those before it through their headers.
  public internal(set) var sealed: Seal?
  public internal(set) var damages: [LogDamage] = []
  /// Where a write begins that never finished: nothing of it was acknowledged, and the next start
  /// cuts it.
  public internal(set) var unfinished: LogPlace?
  /// Index files that are missing or worthless, and are made again when they are needed.
  public internal(set) var indexesToRebuild = 0

  public var isFine: Bool { damages.isEmpty }
}

/// A place in a segment's file.
public struct LogPlace: Sendable, Equatable {
  public let file: String
  public let offset: Int
}
