extension BatchLine {
  /// Has previews of a stream's live state shown, once all that they may rest on is durable.
  mutating func show(_ more: [LivePreview], behind journal: StreamJournal) {
    guard !more.isEmpty else { return }
    let stream = journal.stream
    if journal.newestBatch == 0 {
      previews.add(more, of: stream)
    } else if journal.newestBatch == open.number {
      open.previews.add(more, of: stream)
    } else {
      underWay[Int(journal.newestBatch - underWay[0].number)].previews.add(more, of: stream)
    }
  }

  /// Notes that a stream's live state is not what it was.
  mutating func noteLive(_ stream: StreamID) {
    if liveStreams.last != stream { liveStreams.append(stream) }
  }
}
