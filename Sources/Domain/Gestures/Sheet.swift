internal import FastJSON

/// The row that a sheet is about.
public enum SheetRow: Sendable, Equatable {
  case mail(MailID)
  case item(ItemID)
}

/// One choice of a sheet, with the absolute command that it stands for; Cancel has none.
///
/// A client sends the command as it is: it means the same whatever happened since the sheet came up.
public struct SheetAction: Sendable, Equatable {
  public let title: String
  public let command: String?
  public let isDestructive: Bool

  public init(title: String, command: String? = nil, isDestructive: Bool = false) {
    self.title = title
    self.command = command
    self.isDestructive = isDestructive
  }

  func write(of row: SheetRow, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("title", title)
    if let command {
      writer.member("command", command)
      writer.key("data")
      writer.beginObject()
      switch row {
      case .mail(let mail): writer.member("mail", mail)
      case .item(let item): writer.member("item", item)
      }
      writer.endObject()
    }
    if isDestructive { writer.member("destructive", true) }
    writer.endObject()
  }
}
