internal import Domain
internal import EventSourcing
internal import FastJSON

/// Swipe settings in a view's file: as the event data that configures the sides.
enum StoredSwipe {
  private static let type: EventType = "mailbox.swipe-configured"
  private static let schema: UInt16 = 1

  static func text(_ settings: SwipeSettings) -> String {
    text(SwipeConfiguration(leftToRight: settings.leftToRight, rightToLeft: settings.rightToLeft))
  }

  static func text(_ configuration: SwipeConfiguration) -> String {
    var writer = JSONWriter()
    MailboxEvent.swipeConfigured(configuration).writeData(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// - Returns: nil for nil.
  static func settings(_ text: String?) throws(ReadModelError) -> SwipeSettings? {
    try configuration(text)?.applied(to: SwipeSettings())
  }

  /// - Returns: nil for nil.
  static func configuration(_ text: String?) throws(ReadModelError) -> SwipeConfiguration? {
    guard let text else { return nil }
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    guard let data = try? parser.parse(Array(text.utf8)),
      case .swipeConfigured(let configuration) = try? MailboxEvent(
        type: type, schema: schema, data: data)
    else { throw .unusable("it holds swipe settings that cannot be read") }
    return configuration
  }
}
