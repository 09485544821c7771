internal import Domain
internal import EventSourcing

/// Builds the view `agenda`: what is due in every mailbox, and when.
///
/// It knows of a mail only what it is told here: an event about a mail that is not there (which no
/// version of the rules gives) makes work that the rules then refuse. ``AgendaState`` does the same.
struct AgendaProjection: ViewProjection {
  typealias Model = AgendaModel

  static let name = "agenda"
  static let version: UInt32 = 1
  static let category = StreamCategory.mailbox
  static let holdsText = false

  static func concerns(_ event: EventView) -> Bool { AgendaChange.mayBe(event) }

  func project(
    _ recorded: EventView, into model: borrowing AgendaModel
  ) throws(ProjectionError) {
    let event: MailboxEvent = try model.decoder.decode(recorded)
    guard let change = AgendaChange(event, at: recorded.time) else { return }
    // A class in a borrowing parameter has to be copied to be captured.
    let model = copy model
    try model.storing(recorded) { () throws(ReadModelError) in
      let head = try model.head(of: recorded)
      head.revision = Int(clamping: recorded.revision.rawValue)
      try model.apply(change, cause: Int(clamping: recorded.position.rawValue), to: head)
      model.heads.markDirty(head)
    }
  }
}
