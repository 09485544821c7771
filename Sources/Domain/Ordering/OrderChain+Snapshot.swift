internal import EventSourcing

extension OrderChain {
  /// Writes a lane's numbers, first to last, each as the difference to the one before it: in a
  /// mailbox that nobody has sorted that is one byte a mail. Labels are left out, as they hang on
  /// how the order came about.
  func writeLane(_ lane: Int, count: Int, to writer: inout SnapshotWriter) {
    writer.number(count)
    var before: Int64 = 0
    var number = first(in: lane)
    while number != 0 {
      writer.signed(Int64(number) - before)
      before = Int64(number)
      number = self.number(after: number)
    }
  }

  /// Reads a lane's numbers, and notes in `homes`, which is indexed by number and 0 where a number
  /// is in no lane yet, that they are in `lane`.
  static func readLane(
    _ lane: UInt32, homes: inout [UInt32], from reader: inout SnapshotReader
  ) throws(SnapshotDecodingError) -> [UInt32] {
    let count = try reader.count(ofSize: 1)
    var numbers: [UInt32] = []
    numbers.reserveCapacity(count)
    var number: Int64 = 0
    for _ in 0..<count {
      number &+= try reader.signed()
      guard number > 0, number < homes.count, homes[Int(number)] == 0 else {
        throw SnapshotDecodingError("a number in an order is unknown, or there twice")
      }
      homes[Int(number)] = lane
      numbers.append(UInt32(number))
    }
    return numbers
  }
}
