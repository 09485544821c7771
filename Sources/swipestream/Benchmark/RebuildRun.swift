internal import ActorRuntime
internal import FastJSON

/// Builds all views or one of them anew, with nothing else going on.
enum RebuildRun {
  static func run(_ peer: BenchmarkPeer, view: String?) throws(Failure) -> JSON {
    try peer.waitForViews()
    let status = try peer.status()
    let events = status["head"]?.integer ?? 0
    var members = [JSON.Member("op", "rebuild"), JSON.Member("id", "rebuild")]
    if let view { members.append(.init("view", .string(view))) }
    let start = MonotonicTime.nanoseconds
    _ = try peer.answer(to: .object(members), patience: Rebuild.waitMilliseconds)
    let seconds = Double(MonotonicTime.nanoseconds - start) / 1e9
    return [
      "what": "rebuild", "events": .integer(events),
      "view": view.map { .string($0) } ?? .null, "seconds": .double(seconds),
      "perSecond": .double(Double(events) / seconds),
    ]
  }
}
