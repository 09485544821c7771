internal import ActorRuntime
internal import FastJSON

/// Builds all views anew, with nothing else going on.
enum RebuildRun {
  static func run(_ peer: BenchmarkPeer) throws(Failure) -> JSON {
    try peer.waitForViews()
    let status = try peer.status()
    let events = status["head"]?.integer ?? 0
    let start = MonotonicTime.nanoseconds
    _ = try peer.answer(
      to: ["op": "rebuild", "id": "rebuild"], patience: Rebuild.waitMilliseconds)
    let seconds = Double(MonotonicTime.nanoseconds - start) / 1e9
    return [
      "what": "rebuild", "events": .integer(events),
      "views": .integer(status["views"]?.array?.count ?? 0), "seconds": .double(seconds),
      "perSecond": .double(Double(events) / seconds),
    ]
  }
}
