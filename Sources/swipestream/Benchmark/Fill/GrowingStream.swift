internal import Domain
internal import EventSourcing

/// A stream of which no more is known than its next event needs.
struct GrowingStream {
  private enum Content {
    case mailbox(GrowingMailbox)
    case list(GrowingList)
  }

  private let stream: StreamID
  private var content: Content
  private var revision = 0

  init?(number: Int, of category: StreamCategory, newShare: Int) {
    let isList = category == .list
    let name = number == 0 ? "large" : "\(isList ? "l" : "m")\(number)"
    guard let stream = try? StreamID("\(category)/\(name)") else { return nil }
    self.stream = stream
    content =
      isList
      ? .list(GrowingList(newShare: newShare))
      : .mailbox(GrowingMailbox(name: String(stream.name), newShare: newShare))
  }

  mutating func add(_ count: Int, to batch: inout AppendBatch, command: Int) {
    guard count > 0 else { return }
    batch.begin(
      stream, expecting: revision == 0 ? .noStream : .exactly(Revision(UInt64(revision))))
    for index in 0..<count {
      let command = CommandID("fill-\(command + index)")
      switch content {
      case .mailbox(var mailbox):
        write(mailbox.next(revision), to: &batch, command: command)
        content = .mailbox(mailbox)
      case .list(let list):
        write(list.next(revision), to: &batch, command: command)
      }
      revision += 1
    }
  }

  private func write(
    _ event: some EventCodable, to batch: inout AppendBatch, command: CommandID?
  ) {
    guard let command else { return }
    batch.add(event.type, schema: event.schema, command: CommandKey(command, in: stream)) {
      event.writeData(to: &$0)
    } meta: {
      EventMeta.write(
        command: command, via: nil, metadata: CommandMetadata(),
        completion: .init(
          content: ContentHash(rawValue: UInt64(revision)), eventCount: 1,
          outcome: Array("{}".utf8)),
        to: &$0)
    }
  }
}

/// Mails arrive, and between them are flagged and unflagged.
private struct GrowingMailbox {
  let name: String
  let newShare: Int
  private var mails = 0

  init(name: String, newShare: Int) {
    self.name = name
    self.newShare = newShare
  }

  mutating func next(_ revision: Int) -> MailboxEvent {
    guard revision % newShare != 0 else {
      mails += 1
      return .delivered(MailID(mails), content)
    }
    let mail = MailID(1 + revision * 7919 % mails)
    return revision % (2 * newShare) < newShare ? .flagged(mail) : .unflagged(mail)
  }

  private var content: MailContent {
    MailContent(
      from: "sender-\(mails % 97)@example.org", subject: "Mail \(mails)",
      message: "What there is to say in mail number \(mails)", date: nil, to: nil, cc: nil,
      messageID: "<\(mails)@\(name)>", inReplyTo: nil, references: nil, digest: nil,
      size: nil, read: nil, flagged: nil, answered: nil, trashed: nil)
  }
}

/// Items are added at the end, and between them moved and edited.
private final class GrowingList {
  private static let section = SectionID(1)

  private let newShare: Int
  private var order = MovingOrder(count: 0)

  init(newShare: Int) { self.newShare = newShare }

  func next(_ revision: Int) -> ListEvent {
    // A list begins with its section.
    if revision == 0 { return .created(title: "Benchmark", template: .plain) }
    if revision == 1 {
      return .sectionAdded(Self.section, ListTemplate.plain.sections[0], after: nil)
    }
    if revision % newShare == 0 || order.count < 2 {
      let after = order.append()
      return .itemAdded(ItemID(order.count), text: "Item number \(order.count)", place(after))
    }
    guard revision % (2 * newShare) < newShare else {
      let item = 1 + revision * 7919 % order.count
      return .itemEdited(ItemID(item), text: "Item number \(item), edited at \(revision)")
    }
    let move = order.move()
    return .itemMoved(ItemID(move.item), place(move.anchor))
  }

  private func place(_ anchor: Int) -> ItemPlace {
    ItemPlace(section: Self.section, after: anchor == 0 ? nil : ItemID(anchor))
  }
}
