extension OrderChain {
  /// Behind which number one goes that returns to where it was: behind the one that it was behind,
  /// or else before the one that it was before, or else to the end that it was at; 0 for the top.
  ///
  /// - Parameters:
  ///   - above, below: its neighbours then, 0 for none.
  ///   - isThere: whether a number is in the lane now.
  func place(
    of number: UInt32, above: UInt32, below: UInt32, in lane: Int, isThere: (UInt32) -> Bool
  ) -> UInt32 {
    if above != 0, isThere(above) { return above }
    if below != 0, isThere(below) {
      let before = self.number(before: below)
      return before == number ? self.number(before: number) : before
    }
    if above == 0 { return 0 }
    let last = self.last(in: lane)
    return last == number ? self.number(before: number) : last
  }
}
