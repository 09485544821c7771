internal import ActorRuntime
internal import EventSourcing
internal import MailFiles
internal import SwipestreamClient

/// Keeps a Maildir and a mailbox in step.
enum Sync: Subcommand {
  static let name = "sync"
  static let summary = "keep a Maildir and a mailbox in step, both ways"
  static let help = """
    usage: swipestream sync MAILDIR STREAM [--once] [--interval S]

    New files of the Maildir become mails of the mailbox. Read, flagged and trashed (the
    letters S, F and T of the file names) are carried both ways: changes on disk become
    commands, and events of the mailbox become renames. All other letters stay as they
    are. Goes on until interrupted; a service that is away is waited for.

    Flag by flag, what changed on one side only since both last agreed wins; where both
    changed, the service wins. So it does where a file is seen for the first time and the
    mailbox knows its mail already.

    A file that another program removes is warned of; its mail stays as it is. A purged
    mail's file stays too. Mails that did not come from the Maildir are not written to it,
    and subfolders are not looked at; each can be synchronized by its own path.

    What both sides agreed on is kept in MAILDIR/.swipestream-sync-….json. It may be
    deleted: all files are then delivered again, which adds nothing. One sync at a time
    can work on a Maildir.

      --once          one full pass both ways, then end
      --interval S    how often to look at the Maildir, in seconds (default 2)
    \(ClientSession.optionHelp)

    Exit status: 0 ended as asked, 1 something was refused or cannot be read, 2 usage,
    3 no service answered at the start (with --once: at any time).
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(
      arguments, .client(flags: ["--once"], values: ["--interval"]))
    let given = try arguments.exactly("MAILDIR", "STREAM")
    let stream = try Argument.stream(given[1])
    guard stream.category == .mailbox else {
      throw Failure(.usage, "STREAM must name a mailbox, such as mailbox/inbox")
    }
    let options = Syncer.Options(
      stream: stream, isOnce: arguments.has("--once"),
      intervalMilliseconds: try interval(arguments))
    let news = SyncMonitor(SyncNews())
    let signals = try Signals()
    Task {
      _ = await signals.next()
      news.change { $0.isStopping = true }
    }
    let (folder, lock) = try open(given[0])
    defer { withExtendedLifetime(lock) {} }
    let session = try ClientSession(arguments)
    _ = try await session.request("ping")
    return try await runOnThread(folder, session.client, options, news)
  }

  private static func open(_ path: String) throws(Failure) -> (MaildirFolder, MaildirLock) {
    do throws(MailFilesError) {
      let folder = try MaildirFolder(path: path)
      return (folder, try folder.lock(SyncStore.lockName))
    } catch {
      guard error.code != .locked else {
        throw Failure(.refused, "\(path): another sync works on this Maildir")
      }
      throw Failure(.refused, "\(error)")
    }
  }

  private static func runOnThread(
    _ folder: MaildirFolder, _ client: ServiceClient, _ options: Syncer.Options,
    _ news: SyncMonitor
  ) async throws(Failure) -> ExitStatus {
    let result: Result<ExitStatus, Failure> = await withCheckedContinuation { continuation in
      _ = NamedThread("sync") {
        let result: Result<ExitStatus, Failure>
        do throws(Failure) {
          result = .success(try Syncer(folder, client, options, news: news).run())
        } catch {
          result = .failure(error)
        }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  private static func interval(_ arguments: Arguments) throws(Failure) -> Int {
    guard let text = try arguments.one("--interval") else { return 2000 }
    guard let seconds = Double(text), (0.01...86_400).contains(seconds) else {
      throw Failure(.usage, "--interval must be seconds from 0.01 to 86400, not '\(text)'")
    }
    return Int(seconds * 1000)
  }
}
