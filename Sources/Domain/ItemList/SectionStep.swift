internal import EventSourcing

/// What one event changed in a section, for taking it back.
enum SectionStep: Equatable, Sendable {
  case added
  /// Its neighbours before, 0 for none.
  case removed(above: UInt32, below: UInt32)
  case restored
  case moved(above: UInt32, below: UInt32)
  /// As they were before.
  case retitled(header: String?, footer: String?)
  case traits(SectionTraits)
  case styled(SectionStyle)

  enum Field: UInt8 {
    case existence
    case place
    case titles
    case traits
    case style
  }

  var field: Field {
    switch self {
    case .added, .removed, .restored: .existence
    case .moved: .place
    case .retitled: .titles
    case .traits: .traits
    case .styled: .style
    }
  }

  /// The event that leads back; nil where nothing is left to do.
  ///
  /// - Throws: `rejected` where the section cannot go, or come back.
  func compensation(of section: SectionID, in list: ItemList) throws(ServiceError) -> ListEvent? {
    if case .removed = self {
      guard list.removedSections.contains(section) else { return nil }
    } else if !list.hasSection(section) {
      throw ServiceError(
        .rejected, "section \(section) is gone, so the command cannot be taken back")
    }
    switch self {
    case .added, .restored:
      guard list.order.first(in: section.rawValue) == 0 else {
        throw ServiceError(
          .rejected,
          "section \(section) has items, so what added it cannot be taken back; move them first")
      }
      return .sectionRemoved(section)
    case .removed(let above, let below):
      if list.sections[section.rawValue - 1]?.completedRole == true,
        let present = list.completedSection
      {
        throw ServiceError(
          .rejected,
          "section \(present) is for completed items now, so section \(section) cannot come back")
      }
      return .sectionRestored(section, after: list.place(of: section, above: above, below: below))
    case .moved(let above, let below):
      let place = list.place(of: section, above: above, below: below)
      return place == list.sectionAbove(section) ? nil : .sectionMoved(section, after: place)
    case .retitled(let header, let footer):
      return .sectionRetitled(section, header: header, footer: footer)
    case .traits(let traits): return .traitsConfigured(section, traits)
    case .styled(let style): return .sectionStyled(section, style)
    }
  }
}

extension ItemList {
  /// The section above another one; nil for the top.
  func sectionAbove(_ section: SectionID) -> SectionID? {
    let index = sectionOrder.firstIndex(of: section) ?? 0
    return index > 0 ? sectionOrder[index - 1] : nil
  }

  /// Its neighbours in the order, 0 for none.
  func neighbours(of section: SectionID) -> (above: UInt32, below: UInt32) {
    let below = sectionOrder.firstIndex(of: section).map { $0 + 1 } ?? 0
    return (
      sectionAbove(section)?.slot ?? 0,
      sectionOrder.indices.contains(below) ? sectionOrder[below].slot : 0
    )
  }

  /// Below what a section goes that returns to where it was: the section that was above it, or else
  /// what is above the one that was below it, or else what is at the end that it was at.
  fileprivate func place(of section: SectionID, above: UInt32, below: UInt32) -> SectionID? {
    let others = sectionOrder.filter { $0 != section }
    if let above = SectionID.optional(slot: above), others.contains(above) { return above }
    if let index = others.firstIndex(of: SectionID(slot: below)) {
      return index > 0 ? others[index - 1] : nil
    }
    return above == 0 ? nil : others.last
  }
}
