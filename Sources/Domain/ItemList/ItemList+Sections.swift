internal import EventSourcing

/// How events change sections.
extension ItemList {
  mutating func add(_ section: SectionID, _ content: SectionContent, after: SectionID?) {
    let missing = section.rawValue - 1 - sections.count
    guard missing >= 0, missing <= Self.gapLimit else { return }
    for _ in 0..<missing {
      sections.append(nil)
      order.addLane()
    }
    sections.append(content)
    order.addLane()
    place(section, after: after)
    record(.added, of: section)
  }

  mutating func retitle(_ section: SectionID, header: String?, footer: String?) {
    guard let present = self.section(section) else { return }
    record(.retitled(header: present.header, footer: present.footer), of: section)
    sections[section.rawValue - 1]?.header = header
    sections[section.rawValue - 1]?.footer = footer
  }

  mutating func move(_ section: SectionID, after: SectionID?) {
    guard hasSection(section), after != section, after.map(hasSection) ?? true else { return }
    let (above, below) = neighbours(of: section)
    record(.moved(above: above, below: below), of: section)
    sectionOrder.removeAll { $0 == section }
    place(section, after: after)
  }

  /// One that has items stays: a lost event may have left some in it.
  mutating func remove(_ section: SectionID) {
    guard hasSection(section), order.first(in: section.rawValue) == 0 else { return }
    let (above, below) = neighbours(of: section)
    record(.removed(above: above, below: below), of: section)
    sectionOrder.removeAll { $0 == section }
    removedSections.insert(section)
  }

  mutating func restore(_ section: SectionID, after: SectionID?) {
    guard removedSections.remove(section) != nil else { return }
    record(.restored, of: section)
    place(section, after: after)
  }

  mutating func configure(_ section: SectionID, _ traits: SectionTraits) {
    guard let present = self.section(section)?.traits else { return }
    record(.traits(present), of: section)
    sections[section.rawValue - 1]?.traits = traits
  }

  mutating func style(_ section: SectionID, _ style: SectionStyle) {
    guard let present = self.section(section)?.style else { return }
    record(.styled(present), of: section)
    sections[section.rawValue - 1]?.style = style
  }

  private mutating func record(_ step: SectionStep, of section: SectionID) {
    journal.record(.section(section.slot, step))
  }

  /// On top where the section above is not there.
  private mutating func place(_ section: SectionID, after: SectionID?) {
    let anchor = after.flatMap { sectionOrder.firstIndex(of: $0) }
    sectionOrder.insert(section, at: anchor.map { $0 + 1 } ?? 0)
  }
}
