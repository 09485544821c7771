/// Why a view's file could not be read or written. Holds no mail and no list text.
public struct ReadModelError: Error, Sendable, Equatable, CustomStringConvertible {
  /// SQLite's result code (<https://www.sqlite.org/rescode.html>), or `errno` negated.
  public let code: Int32
  public let message: String
  /// What was being done.
  public let context: String

  init(code: Int32, message: String, context: String) {
    self.code = code
    self.message = message
    self.context = context
  }

  public var description: String { "\(context): \(message) (\(code))" }
}
