internal import EventSourcing

/// A section's step as bytes: its kind, and what was there before.
extension SectionStep {
  private enum Code: UInt8 {
    case added, removed, restored, moved, retitled, traits, styled
  }

  func write(to writer: inout SnapshotWriter) {
    switch self {
    case .added: writer.byte(Code.added.rawValue)
    case .removed(let above, let below):
      writer.byte(Code.removed.rawValue)
      writer.number(above)
      writer.number(below)
    case .restored: writer.byte(Code.restored.rawValue)
    case .moved(let above, let below):
      writer.byte(Code.moved.rawValue)
      writer.number(above)
      writer.number(below)
    case .retitled(let header, let footer):
      writer.byte(Code.retitled.rawValue)
      writer.text(nullable: header)
      writer.text(nullable: footer)
    case .traits(let traits):
      writer.byte(Code.traits.rawValue)
      writer.byte(traits.bits)
    case .styled(let style):
      writer.byte(Code.styled.rawValue)
      style.writeSnapshot(to: &writer)
    }
  }

  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    guard let code = Code(rawValue: try reader.byte()) else {
      throw SnapshotDecodingError("a change of a section is of no known kind")
    }
    switch code {
    case .added: self = .added
    case .removed: self = .removed(above: try reader.slot(), below: try reader.slot())
    case .restored: self = .restored
    case .moved: self = .moved(above: try reader.slot(), below: try reader.slot())
    case .retitled:
      self = .retitled(header: try reader.nullableText(), footer: try reader.nullableText())
    case .traits:
      let bits = try reader.byte()
      guard bits < 32 else { throw SnapshotDecodingError("a section had unknown traits") }
      self = .traits(SectionTraits(bits: bits))
    case .styled: self = .styled(try SectionStyle(snapshot: &reader))
    }
  }
}
