public import EventSourcing

/// The schemas of all events, and how those that were released once are read today.
public enum EventSchemas {
  /// Every type that is written, with its present schema.
  static let present = MailboxEvent.schemas.merging(ListEvent.schemas) { mailbox, _ in mailbox }

  /// One step for every released schema that is no longer written; see `EvolvingEvents` in the
  /// documentation of `EventSourcing`.
  private static let steps: [Upcaster] = []

  /// What every reader's log is read through.
  public static let upcasters: Upcasters = {
    do throws(UpcasterFault) {
      return try Upcasters(steps, to: present)
    } catch {
      fatalError("the event schemas of this program are wrong: \(error)")
    }
  }()
}
