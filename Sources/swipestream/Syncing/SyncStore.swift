internal import Digests
internal import EventSourcing
internal import MailFiles
internal import MailSync

/// Where a sync keeps its state: a hidden file in the Maildir, one for each stream.
final class SyncStore {
  /// One for all streams: two processes would take each other's renames for a person's.
  static let lockName = ".swipestream-sync.lock"

  private let folder: MaildirFolder
  private let stream: StreamID
  private let name: String
  private var saved: SyncState?

  init(folder: MaildirFolder, stream: StreamID) {
    self.folder = folder
    self.stream = stream
    let hash = Hexadecimal.string(Fingerprint(of: stream.description).high)
    name = ".swipestream-sync-\(hash).json"
  }

  /// Nil where there is none, or none that can be used.
  func load(_ notes: SyncNotes) throws(Failure) -> SyncState? {
    do throws(MailFilesError) {
      guard let content = try folder.note(name) else { return nil }
      saved = SyncState(content, stream: stream.description)
      if saved == nil { notes.once("state", "\(name) cannot be used; beginning anew") }
      return saved
    } catch {
      throw Failure(.refused, "\(error)")
    }
  }

  func save(_ state: SyncState) throws(MailFilesError) {
    guard state != saved else { return }
    try folder.replaceNote(name, with: state.content)
    saved = state
  }
}
