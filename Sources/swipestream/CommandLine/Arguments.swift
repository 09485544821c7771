/// A subcommand's arguments, taken apart: options by name, the rest in order.
struct Arguments {
  /// What a subcommand takes.
  struct Grammar {
    /// Options that stand alone.
    var flags: Set<String> = []
    /// Options that are followed by a value.
    var values: Set<String> = []

    /// The options of everything that talks to a service.
    static func client(flags: Set<String> = [], values: Set<String> = []) -> Grammar {
      Grammar(flags: flags, values: values.union(["--endpoint", "--timeout"]))
    }
  }

  private(set) var positional: [String] = []
  private var flags: Set<String> = []
  private var values: [String: [String]] = [:]

  init(_ arguments: [String], _ grammar: Grammar) throws(Failure) {
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      index += 1
      if argument == "--" {
        positional += arguments[index...]
        return
      }
      // A lone dash is standard input; -5 is a value.
      guard argument.hasPrefix("--") else {
        positional.append(argument)
        continue
      }
      let (name, attached) = Self.split(argument)
      if grammar.flags.contains(name), attached == nil {
        flags.insert(name)
      } else if grammar.values.contains(name) {
        guard let value = attached ?? (index < arguments.count ? arguments[index] : nil) else {
          throw Failure(.usage, "\(name) needs a value")
        }
        if attached == nil { index += 1 }
        values[name, default: []].append(value)
      } else {
        throw Failure(.usage, "unknown option \(name); --help lists the options")
      }
    }
  }

  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  func has(_ flag: String) -> Bool { flags.contains(flag) }

  func all(_ option: String) -> [String] { values[option] ?? [] }

  func one(_ option: String) throws(Failure) -> String? {
    let given = all(option)
    guard given.count <= 1 else { throw Failure(.usage, "\(option) may be given once") }
    return given.first
  }

  func integer(_ option: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
    guard let text = try one(option) else { return nil }
    guard let value = Int(text), range.contains(value) else {
      let bounds =
        range.upperBound == .max
        ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw Failure(.usage, "\(option) must be an integer \(bounds), not '\(text)'")
    }
    return value
  }

  /// The positional arguments, if there are as many as `names`; else what is missing or too much.
  func exactly(_ names: String...) throws(Failure) -> [String] {
    guard positional.count >= names.count else {
      throw Failure(.usage, "missing \(names[positional.count]); --help shows the usage")
    }
    guard positional.count == names.count else {
      throw Failure(.usage, "too much: '\(positional[names.count])'; --help shows the usage")
    }
    return positional
  }
}
