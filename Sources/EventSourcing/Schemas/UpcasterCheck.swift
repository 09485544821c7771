/// What is wrong with a set of upcasters: a mistake in the program, to be found when it starts.
public enum UpcasterFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// Two steps begin at one form.
  case twice(Upcaster.Form)
  /// An event of this form may be in a log, and no step leads on from it.
  case missing(Upcaster.Form)
  /// A step begins at a form that is a present one, a later one, or no form at all.
  case pointless(Upcaster.Form)
  /// The steps from this form lead round and round.
  case endless(Upcaster.Form)

  public var description: String {
    switch self {
    case .twice(let form): "two upcasters begin at \(form)"
    case .missing(let form): "no upcaster begins at \(form)"
    case .pointless(let form): "an upcaster begins at \(form), which is no former schema"
    case .endless(let form): "the upcasters from \(form) on lead to no present schema"
    }
  }
}

/// Sees to it that from each released form exactly one way leads to a present one.
struct UpcasterCheck {
  private var steps: [Upcaster.Form: Upcaster] = [:]
  private let present: [EventType: UInt16]

  init(_ steps: [Upcaster], present: [EventType: UInt16]) throws(UpcasterFault) {
    self.present = present
    for step in steps {
      guard step.from.schema > 0, step.to.schema > 0,
        present[step.from.type].map({ step.from.schema < $0 }) ?? true
      else { throw .pointless(step.from) }
      guard self.steps.updateValue(step, forKey: step.from) == nil else { throw .twice(step.from) }
    }
    for (type, schema) in present where schema > 1 {
      try checkSteps(of: type, upTo: schema - 1)
    }
    // A type that was given up for another name has been through all schemas up to its last.
    for step in steps where present[step.from.type] == nil {
      try checkSteps(of: step.from.type, upTo: step.from.schema)
    }
  }

  private func checkSteps(of type: EventType, upTo last: UInt16) throws(UpcasterFault) {
    for schema in 1...last where steps[Upcaster.Form(type, schema)] == nil {
      throw .missing(Upcaster.Form(type, schema))
    }
  }

  /// All steps from the first one's form to a present one.
  func way(from first: Upcaster) throws(UpcasterFault) -> [Upcaster] {
    var way = [first]
    while way[way.count - 1].to.schema != present[way[way.count - 1].to.type] {
      guard way.count <= steps.count else { throw .endless(first.from) }
      let reached = way[way.count - 1].to
      guard let next = steps[reached] else { throw .missing(reached) }
      way.append(next)
    }
    return way
  }
}
