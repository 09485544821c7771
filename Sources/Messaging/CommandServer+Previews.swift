internal import EventSourcing
internal import FastJSON
internal import Wire
internal import ZeroMQSockets

/// What goes on in lists before it is an event, for those who want to see it: best effort, without
/// credit, and kept nowhere.
extension CommandServer {
  func show(_ preview: StreamPreview) {
    if feedListeners > 0 { feed(preview) }
    for (subscription, filter) in previewers where filter.matchesStream(preview.stream) {
      guard let peer = subscribers[subscription] else { continue }
      writer.removeAll()
      SubscriptionMessage.preview(preview, of: subscription, to: &writer)
      sendWritten(to: peer)
    }
  }

  private func feed(_ preview: StreamPreview) {
    guard let feed else { return }
    hasFed = true
    writer.removeAll()
    preview.write(to: &writer)
    var topic = "~drag \(preview.stream)"
    let isTaken = topic.withUTF8 {
      feed.send(UnsafeRawBufferPointer($0), hasMore: true) == .sent
    }
    if isTaken { _ = writer.withBytes { feed.send($0) } }
  }
}

extension EventFilter {
  /// Whether the stream's events may pass, whatever their types.
  fileprivate func matchesStream(_ stream: StreamID) -> Bool {
    streamPrefix.map { stream.description.utf8.starts(with: $0.utf8) } ?? true
  }
}
