internal import ActorRuntime

/// Reads every byte of a log, and says whether it is what was written. It changes nothing, needs no
/// lock, and may run beside the service.
public struct LogVerifier: Sendable {
  /// How far it is.
  public struct Progress: Sendable {
    public let bytes: Int
    public let total: Int
  }

  /// What is wrong only while the service writes is right when it is looked at again.
  private static let looks = 5

  let directory: LogDirectory
  /// Between two looks.
  var pauseMilliseconds = 50

  private let knownHeads: [KnownHead]

  /// - Parameter knownHeads: how far others say that the log goes.
  public init(
    directory: String, storage: any LogStorage = FileStorage(), knownHeads: [KnownHead] = []
  ) {
    self.init(
      directory: LogDirectory(storage: storage, root: directory), knownHeads: knownHeads)
  }

  init(directory: LogDirectory, knownHeads: [KnownHead]) {
    self.directory = directory
    self.knownHeads = knownHeads
  }

  /// Whether there is a log, damaged or not.
  public var isThere: Bool {
    (try? directory.segmentNames().isEmpty) == false || HeadMark.read(in: directory) != nil
  }

  /// Verifies all of the log, or the segments from the one that holds `position`.
  ///
  /// Damage does not end it: what is behind is looked at too.
  ///
  /// - Parameter onProgress: called from several threads; false ends the verification.
  /// - Returns: what was found; nil where it was ended.
  /// - Throws: ``EventLogError/noLog(directory:)``, or why the directory cannot be read.
  public func verify(
    from position: UInt64 = 1, onProgress: @escaping @Sendable (Progress) -> Bool = { _ in true }
  ) throws(EventLogError) -> LogReport? {
    let started = MonotonicTime.nanoseconds
    guard let survey = try survey(from: position, onProgress: onProgress) else { return nil }
    var report = survey.report
    report.indexesToRebuild = survey.worthlessIndexes(in: directory)
    report.seconds = Double(MonotonicTime.nanoseconds - started) / 1e9
    return report
  }

  /// What the files hold; nil where it was ended.
  func survey(
    from position: UInt64 = 1, onProgress: @escaping @Sendable (Progress) -> Bool = { _ in true }
  ) throws(EventLogError) -> LogSurvey? {
    try directory.checkIsToBeServed()
    try directory.checkRepairIsFinished()
    // Read first: what is durable now is in the files that are listed then.
    let mark = HeadMark.read(in: directory)
    let inventory = try inventory(mark)
    let known = (mark.map { [$0.known] } ?? []) + knownHeads
    let durableHead = known.position(in: inventory.log)
    let start = inventory.entries.lastIndex { $0.first <= position } ?? 0
    let subjects = inventory.subjects(durableHead: durableHead).dropFirst(start)
    let meter = ReadMeter(total: subjects.reduce(0) { $0 + $1.size }, onProgress: onProgress)
    let buffers = WindowBuffers()
    let inspections = Parallel.map(Array(subjects)) {
      inspect($0, buffers: buffers, meter: meter)
    }
    if meter.isEnded { return nil }
    return LogSurvey(
      inventory: inventory, inspections: inspections, start: start, durableHead: durableHead)
  }

  private func inventory(_ mark: HeadMark?) throws(EventLogError) -> LogInventory {
    let inventory: LogInventory
    do throws(StorageError) {
      inventory = try LogInventory(directory: directory, mark: mark)
    } catch {
      throw error.isMissing ? .noLog(directory: directory.root) : .storage(error)
    }
    if inventory.entries.isEmpty && inventory.strays.isEmpty {
      throw .noLog(directory: directory.root)
    }
    return inventory
  }

  private func inspect(
    _ subject: SegmentInspection.Subject, buffers: WindowBuffers, meter: ReadMeter
  ) -> SegmentInspection {
    var known = look(at: subject, buffers: buffers, meter: meter)
    // A service at work may be in the middle of a write, or of an erasure.
    for _ in 1..<Self.looks where !meter.isEnded && !known.isSettled {
      Monitor(()).wait(milliseconds: pauseMilliseconds) { _ in nil as Void? }
      let again = look(at: subject, buffers: buffers, meter: nil)
      if again == known { break }
      known = again
    }
    return known
  }

  private func look(
    at subject: SegmentInspection.Subject, buffers: WindowBuffers, meter: ReadMeter?
  ) -> SegmentInspection {
    do throws(StorageError) {
      let file = try directory.storage.openSettled(subject.path, segment: subject.header.first)
      let window = FileWindow(file, size: try file.size(), buffers: buffers) {
        (count) throws(StorageError) in
        try meter?.add(count)
      }
      return try SegmentInspection(subject, window)
    } catch {
      return SegmentInspection(subject, unreadable: error.description)
    }
  }
}
