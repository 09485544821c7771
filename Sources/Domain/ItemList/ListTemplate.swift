public import EventSourcing
internal import FastJSON

/// What a list begins with.
public enum ListTemplate: Sendable, Equatable {
  /// Sections "To do" and "Completed".
  case todo
  /// One section without a header.
  case plain
  /// The sections and the items of another list, all open.
  indirect case list(StreamID)

  /// Nil where `name` is neither a template's nor a list's.
  public init?(_ name: String) {
    switch name {
    case "todo": self = .todo
    case "plain": self = .plain
    default:
      guard let list = try? StreamID(name), list.category == .list else { return nil }
      self = .list(list)
    }
  }

  /// As commands and events name it.
  public var name: String {
    switch self {
    case .todo: "todo"
    case .plain: "plain"
    case .list(let list): list.description
    }
  }
}

extension Fields {
  func template() throws(FieldError) -> ListTemplate {
    guard let template = object["template"]?.string.flatMap({ ListTemplate($0) }) else {
      throw FieldError(
        "template", "must be 'todo', 'plain', or a list that is there, as 'list/packing'")
    }
    return template
  }
}
