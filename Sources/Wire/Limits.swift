/// The sizes and counts that both sides of the wire hold to.
public enum WireLimits {
  /// A frame's largest size, either way, in bytes.
  public static let frameBytes = 1 << 20
  /// The events of one message come to at most this many bytes, unless it is one event; the rest of
  /// the frame is for what stands around them.
  public static let eventBytes = frameBytes - (8 << 10)
  /// A larger frame than this ends its connection.
  public static let connectionFrameBytes = 4 << 20
  /// A request's id.
  public static let requestIDBytes = 256
  /// An id that is too long is still given back with the refusal up to here.
  public static let echoedIDBytes = 64 << 10
  /// Events that one `read` may ask for.
  public static let readEvents = 1000
  /// A stream prefix or an event type's name in a filter.
  public static let nameBytes = 256
  /// A page's cursor.
  public static let cursorBytes = 256
  /// Rows that one `query` or `state` may ask for.
  public static let pageRows = 1000
  /// Events, or rows, where a request names no limit.
  public static let defaultPage = 100
  /// Events that a subscription may have in flight.
  public static let credit = 10_000
  /// A subscription message is closed once its events come to this many bytes.
  public static let eventMessageBytes = 128 << 10
  /// A peer with this many bytes of events outstanding gets no more until it grants credit, which
  /// stands for events taken.
  public static let outstandingBytes = 16 << 20
  /// The same for all peers together; then those are held to whom events are outstanding.
  public static let totalOutstandingBytes = 256 << 20
  /// How long a `query` may wait for the view, in milliseconds.
  public static let queryWaitMilliseconds = 60_000
  /// How often an idle subscription is told the head.
  public static let heartbeatMilliseconds = 5000
}
