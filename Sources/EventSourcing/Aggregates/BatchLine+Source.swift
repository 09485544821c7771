extension BatchLine {
  /// The state of the stream that a command takes something over from; nil where it is not loaded
  /// yet: then the command is decided later, and nothing has come of it.
  ///
  /// - Throws: why it could not be loaded.
  public mutating func takeSource<A: Aggregate>(_ stream: StreamID) throws(ServiceError) -> A? {
    guard let result = source else {
      neededSource = stream
      return nil
    }
    source = nil
    return try result.get() as? A
  }

  /// What the command that was just to be decided has to wait for.
  mutating func takeNeededSource() -> StreamID? {
    guard let needed = neededSource else { return nil }
    neededSource = nil
    return needed
  }
}
