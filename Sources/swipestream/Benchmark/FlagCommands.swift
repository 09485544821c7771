internal import Glibc

/// The text of `flag` and `unflag` commands, made once; only the id and the mail change.
///
/// Each round over the mailbox flags all mails or unflags all, so every command writes one event.
final class FlagCommands {
  private static let digits = Array("0123456789abcdef".utf8)
  private static let idLength = 16
  /// `{"id":"`
  private static let idOffset = 7

  private let mails: Int
  private let width: Int
  private let mailOffsets: [Int]
  private let texts: [UnsafeMutableRawBufferPointer]
  private let expected: UnsafeMutableRawBufferPointer
  /// The ids' upper half: another load's ids must not be the same.
  private let run: UInt64

  let stream: String
  var requestBytes: Int { texts[0].count }

  init(mails: Int) {
    self.mails = mails
    width = String(mails).utf8.count
    // Always eight digits, so that all loads' names are of one length.
    run = UInt64(UInt32.random(in: 0x1000_0000 ... .max))
    stream = "mailbox/bench-" + String(run, radix: 16)
    let id = String(repeating: "0", count: Self.idLength)
    // JSON allows spaces before a number, not zeros.
    let mail = String(repeating: " ", count: width)
    let beginnings = ["flag", "unflag"].map { [stream] command in
      #"{"id":"\#(id)","op":"command","stream":"\#(stream)","command":"\#(command)","data":{"mail":"#
    }
    mailOffsets = beginnings.map { $0.utf8.count }
    texts = beginnings.map { Self.buffer($0 + mail + "}}") }
    expected = Self.buffer(#"{"id":"\#(id)","ok":true"#)
  }

  deinit {
    for text in texts { text.deallocate() }
    expected.deallocate()
  }

  private static func buffer(_ text: String) -> UnsafeMutableRawBufferPointer {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 8)
    buffer.copyBytes(from: text.utf8)
    return buffer
  }

  /// The command number `index` from 0, valid until the next call.
  @inline(__always)
  func command(_ index: Int) -> UnsafeRawBufferPointer {
    let (round, row) = index.quotientAndRemainder(dividingBy: mails)
    let text = texts[round & 1]
    writeID(index, to: text)
    var mail = row + 1
    var place = mailOffsets[round & 1] + width
    for _ in 0..<width {
      place -= 1
      text[place] = mail > 0 ? UInt8(48 + mail % 10) : UInt8(ascii: " ")
      mail /= 10
    }
    return UnsafeRawBufferPointer(text)
  }

  /// Whether `reply` says that command number `index` worked. Replies come in the commands' order.
  @inline(__always)
  func isReceipt(_ reply: UnsafeRawBufferPointer, of index: Int) -> Bool {
    guard reply.count > expected.count, let start = reply.baseAddress,
      let wanted = expected.baseAddress
    else { return false }
    writeID(index, to: expected)
    return memcmp(start, wanted, expected.count) == 0
  }

  @inline(__always)
  private func writeID(_ index: Int, to text: UnsafeMutableRawBufferPointer) {
    var value = run << 32 | UInt64(index)
    Self.digits.withUnsafeBufferPointer { digits in
      for place in stride(from: Self.idOffset + Self.idLength - 1, through: Self.idOffset, by: -1) {
        text[place] = digits[Int(value & 15)]
        value >>= 4
      }
    }
  }
}
