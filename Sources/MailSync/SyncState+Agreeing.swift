public import MailFiles

/// What both sides agree on changes in three ways only: they are seen to be the same, or one of
/// them was made the same as the other was seen to be.
///
/// The last two hold also where the other side has changed again meanwhile. Without them that change
/// would look like one of the side that was just adapted, and would be taken back.
extension SyncState {
  /// Agrees on what is the same on both sides, and plans what makes the rest the same.
  public mutating func plan(
    disk: (MaildirKey) -> MailFlags?, service: (Int) -> MailFlags?
  ) -> SyncPlan {
    for (key, file) in files {
      guard let disk = disk(key), let service = service(file.mail) else { continue }
      var agreed = file
      agreed.agree(on: disk, among: MailFlags.synced.subtracting(disk.symmetricDifference(service)))
      if agreed != file { files[key] = agreed }
    }
    return SyncPlan(files, disk: disk, service: service)
  }

  /// The file was renamed as planned.
  public mutating func agree(on rename: SyncPlan.Rename) {
    files[rename.file]?.agree(on: rename.set, among: rename.set.union(rename.clear))
  }

  /// The commands were carried out. A file that could not be made to say so too keeps what was
  /// agreed of it.
  ///
  /// - Parameter disk: a file's flags as the plan knew them, and as its rename then made them:
  ///   not what else may have changed of them meanwhile.
  public mutating func agree(on commands: [SyncPlan.Command], disk: (MaildirKey) -> MailFlags?) {
    guard !commands.isEmpty else { return }
    let byMail = Dictionary(grouping: commands, by: \.mail)
    for (key, file) in files {
      guard let commands = byMail[file.mail], let disk = disk(key) else { continue }
      for change in commands.map(\.command) where disk.contains(change.flag) == change.isSetting {
        files[key]?.agree(on: disk, among: change.flag)
      }
    }
  }
}
