import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

/// What events cost, in rows written: a count, which is the same on every machine.
@Suite("Rows written")
struct RowsWrittenTests {
  private let content = MailContent(from: "a", subject: "b", message: "c")
  private let section = SectionID(1)

  @Test("ten thousand flags on a hundred mails in one batch write a hundred rows")
  func flags() throws {
    let file = try SQLiteConnection(path: ":memory:", mode: .readWrite)
    try file.execute(MailboxModel.schema + MailboxModel.orderIndex)
    let model = try MailboxModel(connection: file)
    var log = EventSequence(stream: inbox)
    for mail in 1...100 { try log.project(MailboxEvent.delivered(MailID(mail), content), model) }
    try model.flush()
    let before = try rowsWritten(file)
    for step in 0..<10_000 {
      let mail = MailID(1 + step % 100)
      try log.project(step / 100 % 2 == 0 ? MailboxEvent.flagged(mail) : .unflagged(mail), model)
    }
    // All are as they were: the mailbox's own row is all there is to write.
    try model.flush()
    #expect(try rowsWritten(file) - before == 1)
    for mail in 1...100 { try log.project(MailboxEvent.flagged(MailID(mail)), model) }
    try model.flush()
    #expect(try rowsWritten(file) - before == 1 + 100 + 1)
    #expect(try file.integer("SELECT sum(flag) FROM mails") == 100)
  }

  @Test(
    "an item of a large list that is moved into one gap writes few rows, whatever its size",
    arguments: [1000, 100_000])
  func oneGap(size: Int) throws {
    let file = try SQLiteConnection(path: ":memory:", mode: .readWrite)
    try file.execute(ListModel.schema + ListModel.orderIndex)
    let model = try ListModel(connection: file)
    var log = EventSequence(stream: todo)
    let sectionContent = SectionContent(
      header: nil, footer: nil, traits: SectionTraits(), swipe: .todoOpen, completedRole: false)
    try log.project(ListEvent.created(title: "t", template: .plain), model)
    try log.project(ListEvent.sectionAdded(section, sectionContent, after: nil), model)
    for item in 1...size {
      let place = ItemPlace(section: section, after: item == 1 ? nil : ItemID(item - 1))
      try log.project(ListEvent.itemAdded(ItemID(item), text: "t", place), model)
    }
    try model.flush()
    // As after a start: the order is not in memory, so each move is written before the next.
    model.discard()
    let before = try rowsWritten(file)
    let moves = 10_000
    let anchor = size / 2
    for step in 0..<moves {
      // Others each time, so that the gap fills with rows.
      var item = 1 + step * 7 % size
      if item == anchor { item = size }
      let place = ItemPlace(section: section, after: ItemID(anchor))
      try log.project(ListEvent.itemMoved(ItemID(item), place), model)
    }
    try model.flush()
    let written = try rowsWritten(file) - before
    // Each move writes its own row, and on average a few whose keys make room.
    #expect(written < moves * 20, "\(written) rows")
    #expect(try file.integer("SELECT count(DISTINCT key) FROM items") == size)
  }

  private func rowsWritten(_ file: SQLiteConnection) throws -> Int {
    try #require(try file.integer("SELECT total_changes()"))
  }
}
