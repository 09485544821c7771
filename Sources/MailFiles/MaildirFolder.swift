import Glibc

/// A Maildir whose files are kept up with: listed by what stays the same of their names, read one
/// by one, and given other flags.
public struct MaildirFolder: Sendable {
  let path: FilePath

  /// Throws `notFound` where nothing is at `path`, and `unreadable` where it is no Maildir.
  public init(path: String) throws(MailFilesError) {
    self.path = FilePath(path)
    for box in MaildirBox.allCases {
      do throws(SystemError) {
        guard try self.path.appending(box.name).status().kind == .directory else {
          throw SystemError(code: ENOTDIR)
        }
      } catch {
        let exists = (try? self.path.status()) != nil
        let reason = exists ? "not a Maildir (it has no folder \(box.rawValue))" : error.reason
        throw MailFilesError(code: exists ? .unreadable : .notFound, path: path, reason: reason)
      }
    }
  }

  /// All mails of `new` and `cur`, as they are now.
  public func list() throws(MailFilesError) -> MaildirListing {
    var listing = MaildirListing()
    // In this order a file that is moved from `new` to `cur` meanwhile is seen, maybe twice.
    for box in MaildirBox.allCases {
      let folder = path.appending(box.name)
      do throws(SystemError) {
        for name in try FolderListing.names(in: folder) where !FolderListing.isIndex(name) {
          listing.add(MaildirEntry(name: MaildirName(name), box: box))
        }
      } catch {
        throw MailFilesError(code: .unreadable, path: folder.text, reason: error.reason)
      }
    }
    return listing
  }

  /// The mail in a file; one that was renamed since it was listed is found again.
  public func read(_ entry: MaildirEntry) -> MailSource {
    let kind = MailEntry.Kind.maildir(folder: path, isNew: entry.isNew)
    switch EntryReader.read(MailEntry(path: path(of: entry), kind: kind)) {
    case .source(let source): return source
    case .mbox: return .skipped(origin: path(of: entry).text, reason: "not a single mail")
    }
  }

  /// Sets and clears flags by one rename, which puts the file into `cur` if it is not there yet.
  ///
  /// What else the name says stays as it is, also where another program changed it since the file
  /// was listed.
  ///
  /// - Returns: the file as it is then, nil where it is gone.
  public func change(
    _ listed: MaildirEntry, setting set: MailFlags, clearing clear: MailFlags
  ) throws(MailFilesError) -> MaildirEntry? {
    var entry = listed
    for _ in 0..<Self.renameTries {
      let flags = entry.flags.subtracting(clear).union(set)
      if flags == entry.flags { return entry }
      let wanted = MaildirEntry(name: MaildirName(entry.name.with(flags)), box: .cur)
      let code = rename(entry, to: wanted)
      if code == 0 { return wanted }
      guard code == ENOENT else {
        throw MailFilesError(
          code: .unwritable, path: path(of: entry).text, reason: SystemError(code: code).reason)
      }
      guard let found = FolderListing.find(entry.name.unique, in: path) else { return nil }
      entry = MaildirEntry(
        name: MaildirName(Array(found.path.name)), box: found.isNew ? .new : .cur)
    }
    throw MailFilesError(
      code: .unwritable, path: path(of: entry).text, reason: "another program keeps renaming it")
  }

  private static let renameTries = 5

  /// Never onto another file: two may share a unique part where a program made a mess. Looking
  /// first leaves a gap, but only another process that makes that very name could use it.
  private func rename(_ entry: MaildirEntry, to wanted: MaildirEntry) -> Int32 {
    let (old, new) = (path(of: entry), path(of: wanted))
    return old.withCString { old in
      new.withCString { new in
        if access(new, F_OK) == 0 { return EEXIST }
        return Glibc.rename(old, new) == 0 ? 0 : errno
      }
    }
  }

  private func path(of entry: MaildirEntry) -> FilePath {
    path.appending(entry.box.name).appending(entry.name.name)
  }
}

/// The folders of a Maildir that hold mails, in the order that mails come through them.
enum MaildirBox: String, CaseIterable, Sendable {
  case new, cur

  var name: [UInt8] { Array(rawValue.utf8) }
}
