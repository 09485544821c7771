/// Reads the mails at a path: an mbox, a file with one mail, a Maildir, or a folder of such files.
///
/// - An mbox gives its mails in file order; one mail at a time is in memory.
/// - A Maildir gives `cur` and `new` together by the time in the file names; `tmp` is not read. Its
///   subfolders (`.Sub`) are not read but named as skipped.
/// - A folder gives its files by name (bytewise); folders in it are named as skipped.
/// - A file named `.eml`, and a file in a Maildir, is always one mail, also if it begins with an
///   mbox `From ` line. Any other file is an mbox if it begins with such a line, else one mail.
///
/// Trouble with a mail never ends the iteration: it is `MailSource.skipped`. The reader can be
/// iterated again, and sees the files as they are then.
public struct MailReader: Sequence, Sendable {
  private let entries: [MailEntry]
  /// Bytes of all input files when the reader was made.
  public let bytesTotal: Int
  /// Input files found when the reader was made, without those that are skipped by name or kind.
  public let fileCount: Int

  /// Finds the input files; reads none yet. Throws `notFound` where nothing is at `path` and
  /// `unreadable` where a folder cannot be listed.
  public init(path: String) throws(MailFilesError) {
    entries = try FolderListing.entries(FilePath(path))
    bytesTotal = entries.reduce(0) { $0 + $1.size }
    fileCount = entries.count { if case .skipped = $0.kind { false } else { true } }
  }

  public func makeIterator() -> Iterator { Iterator(entries, bytesTotal: bytesTotal) }
}

extension MailReader {
  /// One walk over the mails; ask `progress` between two calls of `next`.
  public struct Iterator: IteratorProtocol {
    private let entries: [MailEntry]
    private var index = 0
    private var mbox: OpenMbox?
    private var bytesBefore = 0
    public private(set) var progress: MailProgress

    init(_ entries: [MailEntry], bytesTotal: Int) {
      self.entries = entries
      progress = MailProgress(bytesDone: 0, bytesTotal: bytesTotal, messages: 0, skipped: 0)
    }

    public mutating func next() -> MailSource? {
      while true {
        if let source = nextInMbox() { return count(source) }
        guard index < entries.count else { return nil }
        let entry = entries[index]
        index += 1
        switch EntryReader.read(entry) {
        case .mbox(let opened): mbox = opened
        case .source(let source):
          bytesBefore += entry.size
          return count(source)
        }
      }
    }

    /// The open mbox's share of `bytesTotal`; the file may have grown since.
    private var mboxSize: Int { entries[index - 1].size }

    private mutating func nextInMbox() -> MailSource? {
      guard let mbox else { return nil }
      let source = mbox.next()
      if source == nil {
        self.mbox = nil
        bytesBefore += mboxSize
        progress.bytesDone = bytesBefore
      }
      return source
    }

    private mutating func count(_ source: MailSource) -> MailSource {
      let inMbox = mbox.map { Swift.min($0.offset, mboxSize) } ?? 0
      progress.bytesDone = bytesBefore + inMbox
      switch source {
      case .message: progress.messages += 1
      case .skipped: progress.skipped += 1
      }
      return source
    }
  }
}
