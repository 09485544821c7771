internal import EventSourcing

/// A view that this version of the service has.
struct ViewDefinition: Sendable {
  let name: String
  let version: UInt32
  let category: StreamCategory
  /// Whether it holds text that can be erased.
  let holdsText: Bool
  let openWriter:
    @Sendable (_ path: String, ViewStore.Use, any EventStore) throws(ReadModelError) ->
      any ViewWriter
  let openReader: @Sendable (_ path: String) throws(ReadModelError) -> any ViewReader

  static let all = [
    ViewDefinition(MailboxProjection.self) { path throws(ReadModelError) in
      try MailboxReader(path: path)
    },
    ViewDefinition(ListProjection.self) { path throws(ReadModelError) in
      try ListReader(path: path)
    },
    ViewDefinition(AgendaProjection.self) { path throws(ReadModelError) in
      try AgendaReader(path: path)
    },
  ]

  init<View: ViewProjection>(
    _: View.Type,
    openReader: @escaping @Sendable (_ path: String) throws(ReadModelError) -> any ViewReader
  ) {
    name = View.name
    version = View.version
    category = View.category
    holdsText = View.holdsText
    openWriter = { path, use, store throws(ReadModelError) in
      try ProjectionWriter<View>(path: path, use: use, store: store)
    }
    self.openReader = openReader
  }

  /// - Throws: `not-found`.
  static func named(_ name: String) throws(ServiceError) -> ViewDefinition {
    guard let view = all.first(where: { $0.name == name }) else {
      throw ServiceError(
        .notFound, "there is no such view; there are \(all.map(\.name).joined(separator: ", "))")
    }
    return view
  }
}
