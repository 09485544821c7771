extension Fingerprint {
  /// Nil where `text` is not what ``description`` gives, in either case of letters.
  public init?(_ text: some Collection<UInt8>) {
    guard text.count == 32, let high = Hexadecimal.value(text.prefix(16)),
      let low = Hexadecimal.value(text.suffix(16))
    else { return nil }
    self.init(high: high, low: low)
  }
}
