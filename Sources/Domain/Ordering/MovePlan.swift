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
  // Behind the numbers placed so far comes what was behind the anchor, less those placed: only the
  // number that stands there now need not move. As `moved` is in the present order, what is placed
  // by a move stood above it.
  var cursor = follower
  for number in moved {
    if number == cursor {
      cursor = next(cursor)
    } else {
      moves.append(Move(number: number, after: last))
    }
    last = number
  }
  return moves
}
