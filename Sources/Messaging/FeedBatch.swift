internal import Wire

/// Messages for the feed, one behind the other in one piece of memory.
struct FeedBatch: Sendable {
  struct Message: Sendable {
    let topic: Range<Int>
    let content: Range<Int>
  }

  let bytes: MessageBytes
  let messages: [Message]

  func withMessage<Result>(
    _ message: Message, _ body: (_ topic: UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    bytes.withBytes { bytes in
      body(
        UnsafeRawBufferPointer(rebasing: bytes[message.topic]),
        UnsafeRawBufferPointer(rebasing: bytes[message.content]))
    }
  }
}
