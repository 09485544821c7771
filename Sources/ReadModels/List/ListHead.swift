internal import EventSourcing

/// The list view's row about a list as a whole.
final class ListHead: StreamHead {
  let stream: StreamID
  /// The list's number in this file.
  let number: Int
  var revision = 0
  var lastSection = 0
  var lastItem = 0
  var title: String?
  var counts = ListCounts()
  var isDirty = false

  init(stream: StreamID, number: Int) {
    self.stream = stream
    self.number = number
  }
}

/// How many of a list's items are open and completed; deleted ones are neither.
struct ListCounts: Equatable {
  var open = 0
  var completed = 0

  /// Counts an item in (1) or out (-1).
  mutating func count(_ by: Int, completed isCompleted: Bool) {
    if isCompleted { completed += by } else { open += by }
  }
}
