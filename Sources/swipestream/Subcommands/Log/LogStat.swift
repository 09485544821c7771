internal import EventLog
internal import EventSourcing
internal import FastJSON

/// Says what a log is made of.
enum LogStat: Subcommand {
  static let name = "stat"
  static let summary = "say what the log is made of: head, times, segments, sizes"
  static let help = """
    usage: swipestream log stat [--data DIR] [--json]

    From headers and indexes, so it is quick however long the log is. It changes nothing, and
    may run while a service has the log open.

      --data DIR  as for `serve`
      --json      the result as one JSON object
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(arguments, .init(flags: ["--json"], values: ["--data"]))
    _ = try arguments.exactly()
    let directory = try DataDirectory.path(arguments)
    let statistics: LogStatistics
    do throws(EventLogError) {
      statistics = try LogStatisticsReader(directory: directory).read()
    } catch {
      throw Failure(.refused, "\(error)")
    }
    if arguments.has("--json") {
      Output.print(json(statistics))
    } else {
      print(statistics)
    }
    return .done
  }

  private static func print(_ log: LogStatistics) {
    line("log", log.log.description)
    line("head", String(log.head))
    if let first = log.firstTime, let last = log.lastTime {
      line("time", "\(first) to \(last)")
    }
    line("records", String(log.records))
    line("streams", log.streams.map(String.init) ?? "unknown until the indexes are made again")
    line("commands", log.commands.map(String.init) ?? "unknown until the indexes are made again")
    line(
      "bytes",
      "\(log.bytes)" + (log.records > 0 ? ", \(log.bytes / log.records) for each event" : ""))
    line("reserved", "\(log.reserved) bytes")
    line("indexes", "\(log.segments.count - 1 - log.indexesToRebuild) of \(log.segments.count - 1)")
    if let place = log.unfinished {
      line("note", "a write never finished at \(place.file), offset \(place.offset)")
    }
    for segment in log.segments {
      line("segment", "\(segment.file)  \(segment.records) records, \(segment.bytes) bytes")
    }
  }

  private static func line(_ name: String, _ value: String) {
    Output.print(TerminalText.column(name, width: 10) + value)
  }

  private static func json(_ log: LogStatistics) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("log")
    writer.value(log.log.description)
    writer.key("head")
    writer.value(log.head)
    writer.key("firstTime")
    writer.value(log.firstTime?.description)
    writer.key("lastTime")
    writer.value(log.lastTime?.description)
    for (key, value) in [
      ("records", log.records), ("bytes", log.bytes), ("reserved", log.reserved),
      ("streams", log.streams), ("commands", log.commands),
      ("indexesToRebuild", log.indexesToRebuild),
    ] as [(String, Int?)] {
      writer.key(text: key)
      writer.value(value)
    }
    writer.key("segments")
    writer.beginArray()
    for segment in log.segments { write(segment, to: &writer) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  private static func write(_ segment: LogStatistics.SegmentPart, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("file")
    writer.value(segment.file)
    writer.key("first")
    writer.value(segment.first)
    writer.key("records")
    writer.value(segment.records)
    writer.key("bytes")
    writer.value(segment.bytes)
    writer.key("size")
    writer.value(segment.size)
    writer.key("created")
    writer.value(segment.created.description)
    writer.endObject()
  }
}
