internal import Glibc

/// A path without symbolic links and dots, also of what is not there yet: to tell whether one
/// directory is inside another.
struct ResolvedPath: Equatable {
  private let parts: [Substring]

  init(_ path: String) {
    var missing: [Substring] = []
    var rest = path[...]
    while true {
      if let found = Self.resolved(rest.isEmpty ? "." : String(rest)) {
        parts = found.split(separator: "/") + missing.reversed()
        return
      }
      let trimmed = rest.hasSuffix("/") ? rest.dropLast() : rest
      let start = trimmed.lastIndex(of: "/").map { trimmed.index(after: $0) } ?? trimmed.startIndex
      missing.append(trimmed[start...])
      rest = trimmed[..<start]
    }
  }

  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// Whether this is `other` or inside it.
  func isWithin(_ other: ResolvedPath) -> Bool { parts.starts(with: other.parts) }
}
