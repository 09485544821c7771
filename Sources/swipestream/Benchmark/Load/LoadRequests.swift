/// The requests of one load, in their order.
final class LoadRequests {
  let kind: LoadKind
  let streams: LoadStreams
  let ids: RequestIDs
  private let texts: [LoadText]
  /// The list's items as the moves leave them.
  private var order: MovingOrder?

  /// One client's receipts of one stream are.
  let isAnsweredInOrder: Bool
  var requestBytes: Int { texts[0].text.bytes.count }

  init(_ kind: LoadKind, to streams: LoadStreams, _ ids: RequestIDs) {
    self.kind = kind
    self.streams = streams
    self.ids = ids
    isAnsweredInOrder = streams.count == 1 && kind != .page
    texts = kind.texts(to: streams, ids)
    if kind == .reorder { order = MovingOrder(count: streams.rows, seed: ids.seed) }
  }

  /// The request number `index` from 0, valid until the next call.
  @inline(__always)
  func request(_ index: Int) -> UnsafeRawBufferPointer {
    var (round, stream) = (index, 0)
    if streams.count > 1 {
      (round, stream) = index.quotientAndRemainder(dividingBy: streams.count)
    }
    let text: LoadText
    if kind == .flag {
      text = flag(round)
    } else {
      text = texts[0]
      setRow(of: text, round)
    }
    if let field = text.stream { text.text.set(field, to: stream) }
    ids.write(index, to: text.text.bytes)
    return UnsafeRawBufferPointer(text.text.bytes)
  }

  /// Every command has to change something, or it writes no event.
  @inline(__always)
  private func flag(_ round: Int) -> LoadText {
    let text: LoadText
    let row: Int
    if streams.isOwn {
      let (turn, place) = round.quotientAndRemainder(dividingBy: streams.rows)
      text = texts[turn & 1]
      row = place
    } else {
      // In a mailbox that others use later, each mail ends as it was.
      text = texts[round & 1]
      row = scattered(round >> 1)
    }
    if let field = text.row { text.text.set(field, to: row + 1) }
    return text
  }

  @inline(__always)
  private func setRow(of text: LoadText, _ round: Int) {
    guard let field = text.row else { return }
    if let anchor = text.anchor, let move = order?.move() {
      text.text.set(field, to: move.item)
      text.text.set(anchor, to: move.anchor)
    } else if kind == .swipe {
      text.text.set(field, to: 1 + (streams.isOwn ? round % streams.rows : scattered(round)))
    } else {
      text.text.set(field, to: 1 + round)
    }
  }

  /// Far apart from one to the next, as people's mails are.
  @inline(__always)
  private func scattered(_ index: Int) -> Int { index &* 7919 % streams.rows }
}
