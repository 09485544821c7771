extension UnsafeRawBufferPointer {
  /// The little-endian number at `offset`, which need not be aligned.
  @inline(__always)
  func number<Number: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Number.Type = Number.self
  ) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  @inline(__always)
  func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }

  /// Whether all bytes are zero; true of none.
  var isZero: Bool {
    var index = 0
    while index + 8 <= count {
      if loadUnaligned(fromByteOffset: index, as: UInt64.self) != 0 { return false }
      index += 8
    }
    while index < count {
      if self[index] != 0 { return false }
      index += 1
    }
    return true
  }
}

extension UnsafeMutableRawBufferPointer {
  @inline(__always)
  func put(_ number: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
    storeBytes(of: number.littleEndian, toByteOffset: offset, as: type(of: number).self)
  }

  @inline(__always)
  func put(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    if bytes.isEmpty { return }
    UnsafeMutableRawBufferPointer(rebasing: self[offset..<offset + bytes.count])
      .copyMemory(from: bytes)
  }
}

extension [UInt8] {
  /// `count` zero bytes, changed by `fill`.
  init(zeros count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    self.init(repeating: 0, count: count)
    withUnsafeMutableBytes(fill)
  }

  func withRawBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBufferPointer { bytes throws(Failure) in
      try body(UnsafeRawBufferPointer(bytes))
    }
  }
}
