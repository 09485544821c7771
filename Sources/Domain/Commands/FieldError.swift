internal import EventSourcing

/// What is wrong with one field of a command or an event: which, and what it must be.
///
/// The text never quotes a value: values are mail and list text.
struct FieldError: Error {
  /// `left-to-right.buttons[2].color`; empty where the error is about no single field.
  let path: String
  let requirement: String

  init(_ path: String, _ requirement: String) {
    self.path = path
    self.requirement = requirement
  }

  init(_ key: StaticString, _ requirement: String) {
    self.init("\(key)", requirement)
  }

  var message: String { path.isEmpty ? requirement : "'\(path)' \(requirement)" }

  /// The same error, seen from the object or array around it.
  func within(_ outer: String) -> FieldError {
    FieldError(path.isEmpty ? outer : "\(outer).\(path)", requirement)
  }

  /// As a client sees it.
  var asInvalid: ServiceError { ServiceError(.invalid, message) }
}
