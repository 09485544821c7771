internal import Digests
internal import EventLog
internal import EventSourcing
internal import FastJSON

/// A verification's result for people.
struct VerificationText {
  let report: LogReport
  let directory: String

  var lines: [String] {
    var lines = [
      line("log", report.log?.description ?? "unknown"),
      line("head", String(report.head)),
      line("segments", String(report.segments)),
      line("records", records),
      line("bytes", String(report.bytes)),
      line("speed", speed),
    ]
    if let sealed = report.sealed {
      lines.append(line("digest", "\(sealed.digest), of positions 1 to \(sealed.position)"))
    }
    return lines + notes + verdict
  }

  /// What is wrong, and what can be done; the same words wherever damage is told.
  var verdict: [String] {
    if report.isFine { return [line("result", "all is well")] }
    let count = report.damages.count
    return [line("result", "damaged in \(count == 1 ? "one place" : "\(count) places")")] + damages
  }

  /// Each damage, and what filling would do about it.
  var places: [String] { report.damages.flatMap { [$0.description, "  " + $0.remedy] } }

  var damages: [String] {
    places + [
      "nothing was changed; `swipestream log repair --data \(directory)` tells what can be done"
    ]
  }

  private var notes: [String] {
    var notes: [String] = []
    if let place = report.unfinished {
      notes.append(
        line(
          "note",
          "a write never finished at \(place.file), offset \(place.offset); nothing of it was "
            + "acknowledged, and the next start cuts it"))
    }
    if report.indexesToRebuild > 0 {
      notes.append(
        line(
          "note",
          "\(report.indexesToRebuild) indexes are missing or worthless; they are made again when "
            + "they are needed"))
    }
    return notes
  }

  private var records: String {
    "\(report.records)" + (report.erased > 0 ? ", \(report.erased) of them erased" : "")
  }

  private var speed: String {
    let seconds = max(report.seconds, 0.000_001)
    let rate = Double(report.records) / seconds / 1e6
    let megabytes = Double(report.bytes) / seconds / 1e6
    return "\(Decimals.text(seconds, 2)) s, \(Decimals.text(rate, 2)) million records/s, "
      + "\(Decimals.text(megabytes, 0)) MB/s"
  }

  private func line(_ name: String, _ value: String) -> String {
    TerminalText.column(name, width: 10) + value
  }
}

/// A verification's result for programs.
struct VerificationJSON {
  let report: LogReport

  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("ok")
    writer.value(report.isFine)
    writer.key("log")
    writer.value(report.log?.description)
    writer.key("head")
    writer.value(report.head)
    writer.key("segments")
    writer.value(report.segments)
    writer.key("records")
    writer.value(report.records)
    writer.key("erased")
    writer.value(report.erased)
    writer.key("bytes")
    writer.value(report.bytes)
    writer.key("seconds")
    writer.value(report.seconds)
    writer.key("recordsPerSecond")
    writer.value(Double(report.records) / max(report.seconds, 0.000_001))
    write(report.sealed, to: &writer)
    write(report.unfinished, to: &writer)
    writer.key("indexesToRebuild")
    writer.value(report.indexesToRebuild)
    writer.key("damages")
    writer.beginArray()
    for damage in report.damages { damage.write(to: &writer) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  private func write(_ seal: LogReport.Seal?, to writer: inout JSONWriter) {
    writer.key("sealed")
    guard let seal else { return writer.null() }
    writer.beginObject()
    writer.key("position")
    writer.value(seal.position)
    writer.key("digest")
    writer.value(seal.digest.description)
    writer.endObject()
  }

  private func write(_ place: LogPlace?, to writer: inout JSONWriter) {
    writer.key("unfinished")
    guard let place else { return writer.null() }
    writer.beginObject()
    writer.key("file")
    writer.value(place.file)
    writer.key("offset")
    writer.value(place.offset)
    writer.endObject()
  }
}
