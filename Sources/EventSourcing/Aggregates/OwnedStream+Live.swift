/// What lives beside a stream's state.
extension OwnedStream {
  /// A command was decided: brings the live state in line with what the command did.
  mutating func settleLive<A: Aggregate>(_ state: A, _ line: inout BatchLine) {
    changeLive(&line) { state.settle(&$0) }
  }

  mutating func advanceLive(to now: Int, _ line: inout BatchLine) {
    changeLive(&line) { $0?.advance(to: now) }
  }

  /// Events were not written that it may rest on.
  mutating func abandonLive(_ line: inout BatchLine) {
    guard var live = journal.live else { return }
    journal.live = nil
    live.abandon()
    // Nothing is left that they would have to wait for.
    line.previews.add(live.takePreviews(), of: journal.stream)
    line.noteLive(journal.stream)
  }

  private mutating func changeLive(
    _ line: inout BatchLine, _ body: (inout (any LiveState)?) -> Void
  ) {
    body(&journal.live)
    if let previews = journal.live?.takePreviews() { line.show(previews, behind: journal) }
    if journal.live?.deadline == nil { journal.live = nil }
    line.noteLive(journal.stream)
  }
}
