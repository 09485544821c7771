internal import Domain
internal import EventSourcing

/// What events do to sections.
extension ListModel {
  func addSection(
    _ section: Int, _ content: SectionContent, below anchor: Int?, to head: ListHead
  ) throws(ReadModelError) {
    guard section > head.lastSection else { return }
    let id = try RowID.of(section, in: head.number)
    let key = try key(of: id, below: anchor, in: head)
    try statements.addSection(id, content, list: head.number, key: key)
    rows.noteSection(id)
    head.lastSection = section
  }

  func retitle(
    _ section: Int, header: String?, footer: String?, in head: ListHead
  ) throws(ReadModelError) {
    try change(section, in: head) { id throws(ReadModelError) in
      try statements.setTitles(of: id, header: header, footer: footer)
    }
  }

  func configure(
    _ section: Int, _ traits: SectionTraits, in head: ListHead
  ) throws(ReadModelError) {
    try change(section, in: head) { id throws(ReadModelError) in
      try statements.setTraits(of: id, traits)
    }
  }

  func style(_ section: Int, _ style: SectionStyle, in head: ListHead) throws(ReadModelError) {
    try change(section, in: head) { id throws(ReadModelError) in
      try statements.setStyle(of: id, style)
    }
  }

  func configure(
    _ section: Int, _ configuration: SwipeConfiguration, in head: ListHead
  ) throws(ReadModelError) {
    try change(section, in: head) { id throws(ReadModelError) in
      guard let settings = try StoredSwipe.settings(try statements.swipe(of: id)) else { return }
      try statements.setSwipe(of: id, StoredSwipe.text(configuration.applied(to: settings)))
    }
  }

  func moveSection(
    _ section: Int, below anchor: Int?, in head: ListHead
  ) throws(ReadModelError) {
    try change(section, in: head) { id throws(ReadModelError) in
      if let anchor {
        let other = try RowID.of(anchor, in: head.number)
        guard other != id, try rows.hasSection(other) else { return }
      }
      let key = try key(of: id, below: anchor, in: head)
      try statements.place(id, list: head.number, key: key, moved: head.revision)
    }
  }

  /// One that has items stays: a lost event may have left some in it.
  func removeSection(_ section: Int, in head: ListHead) throws(ReadModelError) {
    try change(section, in: head) { id throws(ReadModelError) in
      guard try rows.isEmpty(id) else { return }
      try statements.place(id, list: nil, key: 0, moved: head.revision)
      rows.forgetSection(id)
    }
  }

  func restoreSection(
    _ section: Int, below anchor: Int?, in head: ListHead
  ) throws(ReadModelError) {
    let id = try RowID.of(section, in: head.number)
    guard try statements.isRemoved(id) else { return }
    let key = try key(of: id, below: anchor, in: head)
    try statements.place(id, list: head.number, key: key, moved: head.revision)
    // As empty as when it was removed.
    rows.noteSection(id)
  }

  private func change(
    _ section: Int, in head: ListHead, _ body: (_ id: Int) throws(ReadModelError) -> Void
  ) throws(ReadModelError) {
    let id = try RowID.of(section, in: head.number)
    if try rows.hasSection(id) { try body(id) }
  }

  /// The key that puts a section below another one; on top where that is not there.
  private func key(
    of id: Int, below anchor: Int?, in head: ListHead
  ) throws(ReadModelError) -> Int {
    var anchor = try anchor.map { anchor throws(ReadModelError) in
      try RowID.of(anchor, in: head.number)
    }
    if let known = anchor, try !rows.hasSection(known) { anchor = nil }
    let order = KeyedRows(statements: statements.sectionKeys, scope: head.number)
    return try OrderKeys.place(id, below: anchor, in: order)
  }
}
