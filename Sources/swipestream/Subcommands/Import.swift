internal import EventSourcing
internal import FastJSON
internal import MailFiles
internal import SwipestreamClient

/// Reads mail files into a mailbox.
enum Import: Subcommand {
  static let name = "import"
  static let summary = "read mbox files, Maildirs and single mails into a mailbox"
  static let help = """
    usage: swipestream import PATH… --into mailbox/NAME [--report FILE]

    PATH is an mbox, a Maildir, a file with one mail (.eml), or a folder of such files.
    Date, read, flagged, answered and trashed state come along. A second run adds nothing
    and changes nothing that was done since; a run that was broken off is finished by
    running it again.

      --into STREAM   the mailbox
      --report FILE   one JSON object per mail: where it was, what became of it
    \(ClientSession.optionHelp)

    Exit status: 0 every mail was imported, was there already, or could not be one;
    1 some were refused.
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(arguments, .client(values: ["--into", "--report"]))
    guard !arguments.positional.isEmpty else {
      throw Failure(.usage, "missing PATH; --help shows the usage")
    }
    guard let into = try arguments.one("--into") else {
      throw Failure(.usage, "missing --into mailbox/NAME")
    }
    let stream = try Argument.stream(into)
    guard stream.category == .mailbox else {
      throw Failure(.usage, "--into must name a mailbox, such as mailbox/inbox")
    }
    let readers = try arguments.positional.map { path throws(Failure) in try reader(path) }
    let session = try ClientSession(arguments)
    _ = try await session.request("ping")
    var importer = Importer(
      session: session, stream: stream, bytesTotal: readers.reduce(0) { $0 + $1.bytesTotal },
      report: try (try arguments.one("--report")).map { path throws(Failure) in
        try ReportFile(path, inputs: arguments.positional)
      })
    for reader in readers { try importer.importAll(reader) }
    return try importer.finish()
  }

  private static func reader(_ path: String) throws(Failure) -> MailReader {
    do throws(MailFilesError) {
      return try MailReader(path: path)
    } catch {
      throw Failure(.refused, "\(error)")
    }
  }
}
