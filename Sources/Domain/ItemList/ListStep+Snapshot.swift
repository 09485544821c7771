internal import EventSourcing

/// A step as bytes: its kind, whose it is, and what was there before.
extension ListStep {
  private enum Code: UInt8 {
    case created, added, edited, completed, reopened, deleted, restored, moved, configured, purged,
      configuredRow
    /// Of a row that had no side of its own.
    case configuredUsualRow
    case retitled, section, itemConfigured
  }

  func write(to writer: inout SnapshotWriter) {
    switch self {
    case .created: writer.byte(Code.created.rawValue)
    case .added(let item): Self.write(.added, item, to: &writer)
    case .edited(let item, let text):
      Self.write(.edited, item, to: &writer)
      writer.text(text)
    case .completed(let item, let spot): Self.write(.completed, item, spot, to: &writer)
    case .reopened(let item, let spot): Self.write(.reopened, item, spot, to: &writer)
    case .deleted(let item, let spot): Self.write(.deleted, item, spot, to: &writer)
    case .restored(let item): Self.write(.restored, item, to: &writer)
    case .moved(let item, let spot): Self.write(.moved, item, spot, to: &writer)
    case .configured(let section, let sides):
      Self.write(.configured, section, to: &writer)
      sides.writeSnapshot(to: &writer)
    case .configuredRow(let item, let sides):
      Self.write(sides == nil ? .configuredUsualRow : .configuredRow, item, to: &writer)
      sides?.writeSnapshot(to: &writer)
    case .purged(let item): Self.write(.purged, item, to: &writer)
    case .retitled(let title):
      writer.byte(Code.retitled.rawValue)
      writer.text(title)
    case .section(let section, let step):
      Self.write(.section, section, to: &writer)
      step.write(to: &writer)
    case .itemConfigured(let item, let configuration):
      Self.write(.itemConfigured, item, to: &writer)
      configuration.writeSnapshot(to: &writer)
    }
  }

  private static func write(
    _ code: Code, _ id: UInt32, _ spot: Spot? = nil, to writer: inout SnapshotWriter
  ) {
    writer.byte(code.rawValue)
    writer.number(id)
    guard let spot else { return }
    writer.number(spot.section)
    writer.number(spot.above)
    writer.number(spot.below)
  }

  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    guard let code = Code(rawValue: try reader.byte()) else {
      throw SnapshotDecodingError("a change is of no known kind")
    }
    if code == .created || code == .retitled {
      self = code == .created ? .created : .retitled(try reader.text())
      return
    }
    let id = try reader.slot()
    switch code {
    case .created, .retitled: preconditionFailure("read above")
    case .section: self = .section(id, try SectionStep(snapshot: &reader))
    case .itemConfigured:
      self = .itemConfigured(id, try ItemConfiguration(snapshot: &reader))
    case .added: self = .added(id)
    case .edited: self = .edited(id, try reader.text())
    case .completed: self = .completed(id, from: try Spot(&reader))
    case .reopened: self = .reopened(id, from: try Spot(&reader))
    case .deleted: self = .deleted(id, from: try Spot(&reader))
    case .restored: self = .restored(id)
    case .moved: self = .moved(id, from: try Spot(&reader))
    case .configured: self = .configured(id, try SwipeConfiguration(snapshot: &reader))
    case .configuredRow:
      self = .configuredRow(id, was: try SwipeConfiguration(snapshot: &reader))
    case .configuredUsualRow: self = .configuredRow(id, was: nil)
    case .purged: self = .purged(id)
    }
  }
}

extension ListStep.Spot {
  fileprivate init(_ reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    self.init(
      section: try reader.slot(), above: try reader.slot(), below: try reader.slot())
  }
}
