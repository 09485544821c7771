public import EventSourcing

/// Where an item would come to lie if it were let go.
struct DragLanding: Equatable {
  /// Nil for its own place.
  var hover: DragSession.Hover?
  /// False where the section that it is held over forbids it: it would stay in its own place.
  var isAllowed = true
  /// Whether the section that it is held over takes nothing from elsewhere, so that it would land in
  /// its own section, as near as can be.
  var isRedirected = false
}

extension ItemList {
  /// Where the item would land that is held at `place`.
  func landing(
    of session: DragSession, at place: DragPlace
  ) throws(ServiceError) -> DragLanding {
    let item = session.item
    let home = presentPlace(item).section
    // Beside itself it is where it was.
    if place.anchor.id == item { return DragLanding() }
    let section =
      place.section ?? place.anchor.id.flatMap { self.home($0) } ?? session.hover?.place.section
      ?? home
    let target = try require(section)
    if section != home {
      guard mayMove(item, into: section) else {
        return DragLanding(hover: nearest(to: section, in: home, for: item), isRedirected: true)
      }
      // What comes in is put in order too.
      guard target.traits.canReorder else { return DragLanding(isAllowed: false) }
    }
    let moved: Set<UInt32> = [item.slot]
    try check(place.anchor, in: section, moved: moved)
    let above = itemAbove(place.anchor, in: section, moved: moved)
    return DragLanding(
      hover: hover(ItemPlace(section: section, after: .optional(slot: above)), for: item))
  }

  /// Whether the traits let the item move into the section, which may be its own.
  func mayMove(_ item: ItemID, into section: SectionID) -> Bool {
    do throws(ServiceError) {
      try requireMoves([item], into: section)
      return true
    } catch {
      return false
    }
  }

  /// The end of the item's own section that is nearer to the other one.
  private func nearest(
    to section: SectionID, in home: SectionID, for item: ItemID
  ) -> DragSession.Hover {
    let isAbove = sectionOrder.first { $0 == section || $0 == home } == section
    let above = itemAbove(isAbove ? .first : .last, in: home, moved: [item.slot])
    return hover(ItemPlace(section: home, after: .optional(slot: above)), for: item)
  }

  /// The place, with what is below it but for the item itself.
  private func hover(_ place: ItemPlace, for item: ItemID) -> DragSession.Hover {
    func next(_ number: UInt32) -> UInt32 {
      number == 0 ? order.first(in: place.section.rawValue) : order.number(after: number)
    }
    var below = next(place.after?.slot ?? 0)
    if below == item.slot { below = order.number(after: below) }
    return DragSession.Hover(place: place, below: .optional(slot: below))
  }

  /// Where the item is, or is held.
  func place(of item: ItemID, heldAt hover: DragSession.Hover?) -> ItemPlace {
    hover?.place ?? presentPlace(item)
  }

  /// Whether the item is there already.
  func isPresentPlace(_ place: ItemPlace, of item: ItemID) -> Bool { place == presentPlace(item) }
}

// MARK: What happened meanwhile

extension ItemList {
  public func settle(_ live: inout (any LiveState)?) {
    guard var sessions = live as? DragSessions else { return }
    live = nil
    for session in sessions.open { settle(session, &sessions) }
    live = sessions
  }

  /// Ends a drag whose item cannot be dragged any more, and holds one anew whose place is gone.
  private func settle(_ session: DragSession, _ sessions: inout DragSessions) {
    if let reason = reasonToEnd(session) {
      return sessions.end(session.name, .gone(reason: reason))
    }
    guard let hover = session.hover else { return }
    let present = presentHover(hover, of: session.item)
    guard present != hover else { return }
    sessions.hold(session.name, at: present)
    let place = place(of: session.item, heldAt: present)
    if place != hover.place { sessions.show(session, at: place) }
  }

  private func reasonToEnd(_ session: DragSession) -> String? {
    let item = session.item
    guard let state = state(item) else { return "item \(item) was purged" }
    if state.contains(.deleted) { return "item \(item) was deleted" }
    guard state.contains(.completed) == session.wasCompleted else {
      return session.wasCompleted ? "item \(item) was reopened" : "item \(item) was completed"
    }
    guard let home = home(item), mayMove(item, into: home) else {
      return "item \(item) may not be moved any more"
    }
    return nil
  }

  /// Where a held item is when what is around it has changed: below the item that it was below, else
  /// above the one that it was above, else at its section's end, and back in its own place where the
  /// section does not take it any more.
  private func presentHover(
    _ hover: DragSession.Hover, of item: ItemID
  ) -> DragSession.Hover? {
    var place = hover.place
    guard let section = section(place.section), mayMove(item, into: place.section),
      section.traits.canReorder || home(item) == place.section
    else { return nil }
    if let above = place.after, home(above) != place.section {
      let anchor: Anchor<ItemID> =
        if let below = hover.below, home(below) == place.section { .before(below) } else { .last }
      place.after = .optional(
        slot: itemAbove(anchor, in: place.section, moved: [item.slot]))
    }
    return self.hover(place, for: item)
  }
}
