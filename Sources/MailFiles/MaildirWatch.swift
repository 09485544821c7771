import Glibc

/// Lists a Maildir again only where something may have changed in it.
///
/// A folder's time of change tells that, but it is coarse: a change right after a listing may
/// leave the same time as one right before it. So a listing is kept only once it was made well
/// after that time was first seen. The time is never compared with a clock, which on a network
/// file system is another machine's.
public struct MaildirWatch: Sendable {
  /// Longer than the coarsest file times are apart.
  private static let settlingMilliseconds = 2500

  private struct Stamp: Equatable {
    var seconds: [Int] = []
    var nanoseconds: [Int] = []
    var inodes: [UInt64] = []
  }

  public let folder: MaildirFolder
  private var stamp: Stamp?
  private var stampSince = 0
  private var settled: MaildirListing?
  /// Changes with every listing that may differ from the one before.
  public private(set) var version = 0

  public init(_ folder: MaildirFolder) { self.folder = folder }

  /// The present listing.
  ///
  /// - Parameter now: in milliseconds, of any clock that goes only forwards.
  public mutating func listing(now: Int) throws(MailFilesError) -> MaildirListing {
    let present = presentStamp()
    if present == nil || present != stamp {
      stamp = present
      stampSince = now
      settled = nil
    }
    if let settled { return settled }
    version += 1
    let listing = try folder.list()
    if stamp != nil, now - stampSince >= Self.settlingMilliseconds { settled = listing }
    return listing
  }

  /// Lists it again next time, whatever the folders' times say.
  public mutating func forget() { stamp = nil }

  /// Nil where the folders cannot be looked at; listing them tells why.
  private func presentStamp() -> Stamp? {
    var stamp = Stamp()
    for box in MaildirBox.allCases {
      var info = stat()
      let path = folder.path.appending(box.name)
      guard path.withCString({ stat($0, &info) }) == 0 else { return nil }
      stamp.seconds.append(info.st_mtim.tv_sec)
      stamp.nanoseconds.append(info.st_mtim.tv_nsec)
      stamp.inodes.append(UInt64(info.st_ino))
    }
    return stamp
  }
}
