import Glibc

/// One place that an iteration looks at.
struct MailEntry: Sendable {
  enum Kind: Sendable {
    /// A file that may hold one mail or an mbox.
    case file
    /// A mail of a Maildir, in its `cur` or `new`.
    case maildir(folder: FilePath, isNew: Bool)
    case skipped(reason: String)
  }
  let path: FilePath
  let kind: Kind
  var size = 0
}

/// Finds the files that are to be read, in their order.
enum FolderListing {
  static func entries(_ path: FilePath) throws(MailFilesError) -> [MailEntry] {
    let status = try wrap(path) { () throws(SystemError) in try path.status() }
    switch status.kind {
    case .file: return [MailEntry(path: path, kind: .file, size: status.size)]
    case .other: return [MailEntry(path: path, kind: .skipped(reason: notAFile))]
    case .directory: break
    }
    let names = try wrap(path) { () throws(SystemError) in try self.names(in: path) }
    return isMaildir(path) ? try maildir(path, names) : names.map { plain(path, $0) }
  }

  static let notAFile = "not a regular file"

  /// The names in a directory but `.` and `..`, sorted bytewise.
  static func names(in path: FilePath) throws(SystemError) -> [[UInt8]] {
    guard let directory = path.withCString({ opendir($0) }) else { throw SystemError(code: errno) }
    defer { closedir(directory) }
    var names: [[UInt8]] = []
    errno = 0
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != [0x2E] && name != [0x2E, 0x2E] { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw SystemError(code: errno) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func wrap<Value>(
    _ path: FilePath, _ body: () throws(SystemError) -> Value
  ) throws(MailFilesError) -> Value {
    do { return try body() } catch {
      let code: MailFilesError.Code =
        error.code == ENOENT || error.code == ENOTDIR ? .notFound : .unreadable
      throw MailFilesError(code: code, path: path.text, reason: error.reason)
    }
  }

  private static func isMaildir(_ path: FilePath) -> Bool {
    let present = ["cur", "new", "tmp"].map { isDirectory(path.appending(Array($0.utf8))) }
    return present.count { $0 } >= 2 && (present[0] || present[1])
  }

  private static func isDirectory(_ path: FilePath) -> Bool {
    (try? path.status())?.kind == .directory
  }

  private static func plain(_ folder: FilePath, _ name: [UInt8]) -> MailEntry {
    let path = folder.appending(name)
    if let reason = reasonToSkip(name) {
      return MailEntry(path: path, kind: .skipped(reason: reason))
    }
    do throws(SystemError) {
      let status = try path.status()
      switch status.kind {
      case .file: return MailEntry(path: path, kind: .file, size: status.size)
      case .directory:
        let reason = "folder inside a folder; read it by its own path"
        return MailEntry(path: path, kind: .skipped(reason: reason))
      case .other: return MailEntry(path: path, kind: .skipped(reason: notAFile))
      }
    } catch {
      return MailEntry(path: path, kind: .skipped(reason: error.reason))
    }
  }
}

extension FolderListing {
  /// The mails of `cur` and `new` by age, then the subfolders, which are left alone.
  private static func maildir(
    _ path: FilePath, _ names: [[UInt8]]
  ) throws(MailFilesError) -> [MailEntry] {
    var mails: [(name: MaildirName, entry: MailEntry)] = []
    for box in ["cur", "new"] where names.contains(Array(box.utf8)) {
      let folder = path.appending(Array(box.utf8))
      let names = try wrap(folder) { () throws(SystemError) in try self.names(in: folder) }
      for name in names {
        var entry = plain(folder, name)
        if case .file = entry.kind {
          let kind = MailEntry.Kind.maildir(folder: path, isNew: box == "new")
          entry = MailEntry(path: entry.path, kind: kind, size: entry.size)
        }
        mails.append((MaildirName(name), entry))
      }
    }
    mails.sort { MaildirName.precedes($0.name, $1.name) }
    let subfolders = names.filter { name in
      name.first == 0x2E && isDirectory(path.appending(name).appending(Array("cur".utf8)))
    }
    return mails.map(\.entry)
      + subfolders.map { name in
        let reason = "Maildir subfolder; read it by its own path"
        return MailEntry(path: path.appending(name), kind: .skipped(reason: reason))
      }
  }

  /// Files that mail programs keep beside the mails.
  private static func reasonToSkip(_ name: [UInt8]) -> String? {
    if name.first == 0x2E { return "hidden file" }
    return isIndex(name) ? "index file of a mail program" : nil
  }

  /// Whether the name is that of no mail: hidden, or an index.
  static func isIndex(_ name: [UInt8]) -> Bool {
    if name.first == 0x2E { return true }
    let text = String(decoding: name, as: UTF8.self).lowercased()
    let prefixes = ["dovecot", "cyrus.", "courierimap", "maildirsize", "maildirfolder"]
    let suffixes = [".msf", ".cmeta", ".ibex.index", ".ibex.index.data", ".index", ".lock"]
    return prefixes.contains { text.hasPrefix($0) } || suffixes.contains { text.hasSuffix($0) }
      || text == "subscriptions"
  }

  /// Where a mail of a Maildir is now that another program has renamed it, if it still is.
  static func find(_ unique: ArraySlice<UInt8>, in folder: FilePath) -> (
    path: FilePath, isNew: Bool
  )? {
    for box in ["cur", "new"] {
      let box = folder.appending(Array(box.utf8))
      let names = (try? names(in: box)) ?? []
      if let name = names.first(where: { MaildirName($0).unique == unique }) {
        return (box.appending(name), isNew: box.name.elementsEqual("new".utf8))
      }
    }
    return nil
  }
}
