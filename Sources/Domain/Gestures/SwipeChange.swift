internal import EventSourcing
internal import FastJSON

/// What `configure-swipe` asks for.
public enum SwipeChange: Sendable, Equatable {
  /// Each side given replaces the old one whole.
  case sides(SwipeConfiguration)
  /// Both sides by a name.
  case preset(SwipePreset)
  /// A single row has no settings of its own any more.
  case clear
}

extension SwipeChange {
  /// - Parameter isOfRow: whether it is for a single mail or item.
  init(_ fields: Fields, from source: SwipeSource, isOfRow: Bool) throws(FieldError) {
    let given = Self.keys.filter { fields.has($0) }
    guard given.count <= 1 || !(fields.has("preset") || fields.has("clear")) else {
      throw FieldError("", "only one of a preset, sides and 'clear' may be given")
    }
    if fields.has("preset") {
      self = .preset(try SwipePreset(fields, from: source))
    } else if fields.has("clear") {
      guard try fields.requiredBool("clear") else { throw FieldError("clear", "must be true") }
      guard isOfRow else {
        throw FieldError("clear", "is for a single mail or item; give a preset or sides instead")
      }
      self = .clear
    } else {
      self = .sides(try SwipeConfiguration(fields, from: source))
    }
  }

  private static let keys: [StaticString] = ["left-to-right", "right-to-left", "preset", "clear"]

  func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .sides(let configuration): configuration.writeMembers(to: &writer)
    case .preset(let preset): writer.member("preset", preset.rawValue)
    case .clear: writer.member("clear", true)
    }
  }

  /// The sides that it sets, nil where it clears them.
  ///
  /// - Throws: `invalid` for a preset that does not fit such rows.
  func configuration(for row: SwipePreset.Row) throws(ServiceError) -> SwipeConfiguration? {
    switch self {
    case .sides(let configuration): return configuration
    case .clear: return nil
    case .preset(let preset):
      guard let settings = preset.settings(for: row) else {
        throw FieldError("preset", "does not fit these rows").asInvalid
      }
      return SwipeConfiguration(
        leftToRight: settings.leftToRight, rightToLeft: settings.rightToLeft)
    }
  }
}

extension SwipePreset {
  /// - Throws: for a preset that does not fit, too, naming those that do.
  fileprivate init(_ fields: Fields, from source: SwipeSource) throws(FieldError) {
    let (fitting, rows) =
      source == .itemCommand ? (Self.forItems, "items") : (Self.forMails, "mails")
    let text = try fields.string("preset")
    guard let preset = Self(rawValue: text), fitting.contains(preset) else {
      let names = fitting.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw FieldError("preset", "must be one of those for \(rows): \(names)")
    }
    self = preset
  }
}
