internal import ActorRuntime
internal import EventSourcing
internal import MailFiles
internal import MailSync

/// What one pass did.
struct SyncCounts {
  var delivered = 0
  var commands = 0
  var renames = 0
  var failures = 0

  var didAnything: Bool { delivered + commands + renames > 0 }
}

/// One pass: new files become mails, then what changed on either side is carried to the other.
extension Syncer {
  /// - Returns: nil where the pass could not see both sides to its end.
  func pass() throws(Failure) -> SyncCounts? {
    var counts = SyncCounts()
    let hasNews = news.takeChange()
    guard let found = try list() else { return nil }
    if !hasNews, watch.version == quietVersion { return counts }
    quietVersion = nil
    guard var listing = try dropVanished(found) else { return nil }
    let delivered = try deliverNew(listing, &counts)
    if let delivered {
      try catchUp(to: delivered)
      // What was delivered is as the file was when it was read; the plan must not know it older.
      guard let again = try list() else { return nil }
      listing = again
    }
    _ = news.takeChange()
    let plan = news.change { news in
      state.plan(disk: { listing[$0]?.flags }, service: { news.flags[$0] })
    }
    let renamed = rename(plan.renames, listing, &counts)
    let position = try send(plan.commands, &counts) { renamed[$0] ?? listing[$0]?.flags }
    // Saved at once: what was done must not be taken for a change by the next process.
    try save()
    if let position { try catchUp(to: position) }
    if news.change({ $0.isBroken }) { return nil }
    if plan.isEmpty && counts.failures == 0 { quietVersion = watch.version }
    return counts
  }

  private func save() throws(Failure) {
    do throws(MailFilesError) {
      try store.save(state)
      notes.forget("state")
    } catch {
      // A full disk passes; without the file, the next start finds all out again.
      guard !options.isOnce else { throw Failure(.refused, "\(error)") }
      notes.once("state", "\(error)")
    }
  }

  // MARK: The Maildir

  /// Nil where it cannot be listed now, which does not mean that its files are gone.
  private func list() throws(Failure) -> MaildirListing? {
    do throws(MailFilesError) {
      let listing = try watch.listing(now: MonotonicTime.milliseconds)
      notes.forget("maildir")
      return listing
    } catch {
      guard !options.isOnce else { throw Failure(.refused, "\(error)") }
      notes.once("maildir", "\(error)")
      return nil
    }
  }

  /// Forgets the files that another program removed, and warns. Nothing becomes of their mails.
  private func dropVanished(_ listing: MaildirListing) throws(Failure) -> MaildirListing? {
    guard state.files.keys.contains(where: { listing[$0] == nil }) else { return listing }
    // A file that is renamed while its folder is listed may be missed; it is not missed twice.
    watch.forget()
    guard let listing = try list() else { return nil }
    let gone = state.files.filter { listing[$0.key] == nil }
    for (key, file) in gone.sorted(by: { $0.key < $1.key }) { warnOfVanished(key, file) }
    for key in gone.keys { state.files[key] = nil }
    return listing
  }

  private func warnOfVanished(_ key: MaildirKey, _ file: SyncedFile) {
    // The file of a purged mail may well go too.
    guard news.change({ $0.flags[file.mail] }) != nil else { return }
    Output.complain(
      "\(key) was removed from the Maildir; mail \(file.mail) of \(options.stream) stays as it is")
  }

  /// - Returns: the flags that the renamed files were given.
  private func rename(
    _ renames: [SyncPlan.Rename], _ listing: MaildirListing, _ counts: inout SyncCounts
  ) -> [MaildirKey: MailFlags] {
    var renamed: [MaildirKey: MailFlags] = [:]
    for rename in renames {
      guard let entry = listing[rename.file] else { continue }
      do throws(MailFilesError) {
        let changed = try watch.folder.change(entry, setting: rename.set, clearing: rename.clear)
        // One that is gone is warned of when it is missed in the next listing too.
        if changed != nil {
          state.agree(on: rename)
          renamed[rename.file] = rename.applied(to: entry.flags)
        }
        notes.forget("rename \(rename.file)")
      } catch {
        counts.failures += 1
        notes.once("rename \(rename.file)", "\(error)")
      }
    }
    counts.renames = renamed.count
    return renamed
  }
}
