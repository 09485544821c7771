public import EventSourcing

extension ItemList {
  public func decide(
    _ command: ListCommand, in context: DecisionContext, beside live: inout (any LiveState)?
  ) throws(ServiceError) -> Decision<ListEvent, ListOutcome> {
    guard case .drag(let command) = command else { return try decide(command, in: context) }
    var sessions = live as? DragSessions ?? DragSessions()
    live = nil
    defer { live = sessions }
    return try decide(command, in: context, &sessions)
  }

  func decide(
    _ command: DragCommand, in context: DecisionContext, _ sessions: inout DragSessions
  ) throws(ServiceError) -> ListDecision {
    guard exists else { throw ServiceError(.notFound, "there is no such list") }
    sessions.advance(to: context.now)
    switch command {
    case .begin(let item, let name):
      return try beginDrag(item, name ?? context.command, by: context.by, &sessions)
    case .over(let name, let place):
      let session = try sessions.renew(name, by: context.by)
      let landing = try landing(of: session, at: place)
      sessions.hold(name, at: landing.hover)
      let present = self.place(of: session.item, heldAt: landing.hover)
      sessions.show(session, at: present)
      return Self.decision(
        session, present,
        .over(allowed: landing.isAllowed, redirected: landing.isRedirected))
    case .drop(let name, let place):
      let session = try sessions.renew(name, by: context.by)
      return try drop(session, place, &sessions)
    case .cancel(let name):
      let session = try sessions.renew(name, by: context.by)
      sessions.end(name, .cancelled)
      return Self.decision(session, presentPlace(session.item), .cancelled)
    }
  }

  private static func decision(
    _ session: DragSession, _ place: ItemPlace, _ stage: DragOutcome.Stage,
    event: ListEvent? = nil
  ) -> ListDecision {
    let outcome = DragOutcome(
      session: session.name, item: session.item, place: place, stage: stage)
    return Decision(
      event: event, outcome: .drag(outcome), via: event == nil ? nil : GestureOrigin.drag.rawValue)
  }

  private func beginDrag(
    _ item: ItemID, _ name: CommandID, by: String?, _ sessions: inout DragSessions
  ) throws(ServiceError) -> ListDecision {
    let target = Targets(item)
    try requireAll(target)
    try require(target, "must not be deleted to be dragged") { !$0.contains(.deleted) }
    if let home = home(item) { try requireMoves(target.ids, into: home) }
    let session: DragSession
    if let open = sessions.session(name) {
      guard open.item == item else {
        throw ServiceError(
          .rejected, "the drag '\(name)' is of item \(open.item); give this one another name")
      }
      session = try sessions.renew(name, by: by)
    } else {
      let isCompleted = state(item)?.contains(.completed) == true
      session = try sessions.begin(name, item, isCompleted: isCompleted, by: by)
    }
    let place = place(of: item, heldAt: session.hover)
    sessions.show(session, at: place)
    return Self.decision(session, place, .began)
  }

  private func drop(
    _ session: DragSession, _ place: DragPlace?, _ sessions: inout DragSessions
  ) throws(ServiceError) -> ListDecision {
    var landing = DragLanding(hover: session.hover)
    if let place { landing = try self.landing(of: session, at: place) }
    let target = self.place(of: session.item, heldAt: landing.hover)
    let moves = !isPresentPlace(target, of: session.item)
    sessions.end(session.name, .dropped(target, moved: moves))
    return Self.decision(
      session, target,
      .dropped(
        moved: moves, allowed: landing.isAllowed, redirected: landing.isRedirected),
      event: moves ? .itemMoved(session.item, target) : nil)
  }
}
