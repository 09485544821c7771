internal import FastJSON

/// `KEY=VALUE` arguments as a JSON object.
enum KeyValue {
  /// Integers, `true`, `false` and JSON literals are taken as such, everything else as text;
  /// `text='"5"'` forces text.
  static func object(_ arguments: some Sequence<String>) throws(Failure) -> JSON {
    var members: [JSON.Member] = []
    for argument in arguments {
      guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
        throw Failure(.usage, "'\(argument)' is not KEY=VALUE")
      }
      let key = String(argument[..<equals])
      guard !members.contains(where: { $0.key == key }) else {
        throw Failure(.usage, "'\(key)' is given twice")
      }
      members.append(.init(key, value(String(argument[argument.index(after: equals)...]))))
    }
    return .object(members)
  }

  static func value(_ text: String) -> JSON { (try? JSON(parsing: text)) ?? .string(text) }
}
