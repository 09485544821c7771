internal import EventSourcing

/// The decisions about sections.
extension ItemList {
  /// How many sections a list has at most. Decisions look through all of them.
  static let sectionLimit = 1000

  func decide(_ command: SectionCommand) throws(ServiceError) -> ListDecision {
    switch command {
    case .add(let content, let anchor): try addSection(content, anchor)
    case .retitle(let section, let titles): try retitle(section, titles)
    case .move(let section, let anchor): try moveSection(section, anchor)
    case .remove(let section, let items): try removeSection(section, items)
    case .configure(let section, let traits, let style): try configure(section, traits, style)
    }
  }

  private func addSection(
    _ content: SectionContent, _ anchor: Anchor<SectionID>
  ) throws(ServiceError) -> ListDecision {
    guard sectionOrder.count < Self.sectionLimit else {
      throw ServiceError(
        .rejected, "a list has at most \(Self.sectionLimit) sections; remove one first")
    }
    if content.completedRole, let present = completedSection {
      throw ServiceError(
        .rejected,
        "section \(present) is for completed items already, and a list has one such section")
    }
    let after = try sectionAbove(anchor, moved: nil)
    let section = SectionID(sections.count + 1)
    return Decision(
      [.sectionAdded(section, content, after: after)], outcome: .sectionAdded(section))
  }

  private func retitle(
    _ section: SectionID, _ titles: SectionTitles
  ) throws(ServiceError) -> ListDecision {
    let present = try require(section)
    let header = titles.header ?? present.header
    let footer = titles.footer ?? present.footer
    let changes =
      !Self.isSame(header, present.header) || !Self.isSame(footer, present.footer)
    return Decision(
      event: changes ? .sectionRetitled(section, header: header, footer: footer) : nil,
      outcome: .done)
  }

  /// Byte for byte.
  static func isSame(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return a.utf8.elementsEqual(b.utf8)
  }

  private func moveSection(
    _ section: SectionID, _ anchor: Anchor<SectionID>
  ) throws(ServiceError) -> ListDecision {
    _ = try require(section)
    let after = try sectionAbove(anchor, moved: section)
    return Decision(
      event: after == sectionAbove(section) ? nil : .sectionMoved(section, after: after),
      outcome: .done)
  }

  /// The section that one goes below; nil for the top.
  private func sectionAbove(
    _ anchor: Anchor<SectionID>, moved: SectionID?
  ) throws(ServiceError) -> SectionID? {
    if let id = anchor.id {
      guard sections.indices.contains(id.rawValue - 1) else {
        throw ServiceError(.invalid, "the anchor, section \(id), never existed")
      }
      guard id != moved else {
        throw ServiceError(.invalid, "the anchor, section \(id), is the section that is moved")
      }
      guard hasSection(id) else {
        throw ServiceError(.anchorGone, "the anchor, section \(id), is removed")
      }
    }
    let others = sectionOrder.filter { $0 != moved }
    switch anchor {
    case .after(let id): return id
    case .before(let id):
      let index = others.firstIndex(of: id) ?? 0
      return index > 0 ? others[index - 1] : nil
    case .first: return nil
    case .last: return others.last
    }
  }

  private func configure(
    _ section: SectionID, _ traits: SectionTraitsChange, _ style: SectionStyleChange
  ) throws(ServiceError) -> ListDecision {
    let present = try require(section)
    let (newTraits, newStyle) = (
      traits.applied(to: present.traits), style.applied(to: present.style)
    )
    var events: [ListEvent] = []
    if newTraits != present.traits { events.append(.traitsConfigured(section, newTraits)) }
    if newStyle != present.style { events.append(.sectionStyled(section, newStyle)) }
    return Decision(events, outcome: .done)
  }
}
