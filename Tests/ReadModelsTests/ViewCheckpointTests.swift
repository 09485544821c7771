import EventSourcing
import Testing

@testable import ReadModels

@Suite("Checkpoint rows")
struct ViewCheckpointTests {
  private let log = [UInt8](0..<16)

  private func connection() throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: ":memory:", mode: .readWrite)
    try connection.execute(CheckpointRow.table)
    let insert = try connection.prepare(CheckpointRow.insert)
    CheckpointRow(log: log, position: 110).bind(to: insert)
    try insert.run()
    return connection
  }

  private func row(_ connection: SQLiteConnection) throws -> CheckpointRow? {
    let query = try connection.prepare(CheckpointRow.select)
    #expect(try query.step())
    return CheckpointRow(query)
  }

  @Test("A row is read as it was written")
  func roundTrip() throws {
    let row = try #require(try row(try connection()))
    #expect(row.log == log && row.position == 110)
  }

  @Test("Any changed bit of the position or of the log id is noticed")
  func changed() throws {
    for bit in 0..<64 {
      let connection = try connection()
      try connection.execute("UPDATE checkpoint SET position = \(110 ^ 1 << bit)")
      #expect(try row(connection) == nil)
    }
    for byte in 0..<16 {
      let connection = try connection()
      let other = log.indices.map { $0 == byte ? log[$0] ^ 0x10 : log[$0] }
      let hex = other.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      try connection.execute("UPDATE checkpoint SET log = x'\(hex)'")
      #expect(try row(connection) == nil)
    }
  }
}
