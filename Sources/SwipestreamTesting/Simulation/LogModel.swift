internal import EventSourcing
internal import FastJSON

/// What the log must hold: the batches that were answered as durable, in order.
struct LogModel {
  struct Command {
    let stream: StreamID
    let recorded: RecordedCommand
  }

  private var stored = StoredEvents()
  /// Those that have events.
  private(set) var batches: [AppendBatch] = []
  /// In log order.
  private(set) var commands: [Command] = []

  init(_ batches: some Sequence<AppendBatch> = []) {
    for batch in batches { append(batch) }
  }

  var events: [RecordedEvent] { stored.events }
  var streams: [StreamID] { stored.streams.keys.sorted { $0.description < $1.description } }

  func revision(of stream: StreamID) -> Revision { stored.revision(of: stream) }

  func events(of stream: StreamID) -> [RecordedEvent] {
    stored.streams[stream, default: []].map { stored.events[$0] }
  }

  func position(at time: Timestamp) -> GlobalPosition { stored.position(at: time) }

  /// What a log that remembers the last `horizon` commands must know of one.
  func command(_ id: CommandID, in stream: StreamID, horizon: Int) -> RecordedCommand? {
    commands.suffix(horizon).last { $0.stream == stream && $0.recorded.id == id }?.recorded
  }

  /// - Returns: what the engine must answer.
  @discardableResult
  mutating func append(_ batch: AppendBatch) -> Result<AppendReceipt, AppendError> {
    let known = stored.events.count
    let result = stored.append(batch)
    guard case .success = result, !batch.isEmpty else { return result }
    batches.append(batch)
    let parser = JSONParser()
    for event in stored.events[known...] {
      if let recorded = EventMeta.recordedCommand(in: event, parser: parser) {
        commands.append(Command(stream: event.stream, recorded: recorded))
      }
    }
    return result
  }
}
