/// One step of a reordering: `number` goes directly behind `after`, or first for 0.
struct Move: Equatable {
  let number: UInt32
  let after: UInt32
}

/// The moves that bring `moved`, in this order, directly behind `anchor` (first for 0), each to be
/// done after the ones before it; whatever is at its place already is left alone.
///
/// - Parameters:
///   - moved: distinct numbers in their present order.
///   - follower: what comes behind `anchor` now, 0 for nothing.
///   - next: what comes behind a number now.
func planMoves(
  _ moved: [UInt32], after anchor: UInt32, follower: UInt32, next: (UInt32) -> UInt32
) -> [Move] {
  var moves: [Move] = []
  var last = anchor
  var placed = Set<UInt32>()
  // Behind the numbers placed so far comes what was behind the anchor, less those placed: only the
  // number that stands there now need not move.
  var cursor = follower
  for number in moved {
    while cursor != 0, placed.contains(cursor) { cursor = next(cursor) }
    if number == cursor {
      cursor = next(cursor)
    } else {
      moves.append(Move(number: number, after: last))
      placed.insert(number)
    }
    last = number
  }
  return moves
}
