extension String {
  /// The longest beginning of at most `limit` bytes that ends between two characters, or between
  /// two scalars where the first character alone is longer.
  func shortened(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let end = unicodeScalars.boundary(atOrBefore: utf8.index(startIndex, offsetBy: limit))
    // `index(after:)` goes from the beginning of the character that `end` is in.
    let characterEnd = index(before: index(after: end))
    return String(unicodeScalars[..<(characterEnd > startIndex ? characterEnd : end)])
  }

  /// The text without white space (as Unicode has it) at its ends.
  var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}

extension String.UnicodeScalarView {
  fileprivate func boundary(atOrBefore index: Index) -> Index {
    index == endIndex ? index : self.index(before: self.index(after: index))
  }
}
