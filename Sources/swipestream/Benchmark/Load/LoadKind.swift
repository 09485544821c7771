/// What a load asks for, again and again.
enum LoadKind: String, CaseIterable {
  /// Each round over a mailbox flags all its mails or unflags all.
  case flag
  /// A new mail each time.
  case deliver
  /// A swipe that toggles whether a mail is read.
  case swipe
  /// A new item each time.
  case add
  /// An item behind another one, both anywhere in the list.
  case reorder
  /// The first hundred rows of a view; no command, so nothing is written.
  case page

  /// In which streams; a page may be of either.
  var category: String {
    switch self {
    case .flag, .deliver, .swipe, .page: "mailbox"
    case .add, .reorder: "list"
    }
  }

  /// Whether the streams must have mails or items before it begins.
  var needsRows: Bool { self != .deliver && self != .add }

  /// The requests' texts, which take turns, with their fields.
  func texts(to streams: LoadStreams, _ ids: RequestIDs) -> [LoadText] {
    switch self {
    case .flag: ["flag", "unflag"].map { LoadText(command: $0, Self.mail, to: streams, ids) }
    case .deliver: [LoadText(command: "deliver", Self.newMail, to: streams, ids)]
    case .swipe: [LoadText(command: "swipe", Self.swipedMail, to: streams, ids)]
    case .add: [LoadText(command: "add", Self.newItem, to: streams, ids)]
    case .reorder: [LoadText(command: "reorder", Self.movedItem, to: streams, ids)]
    case .page: [LoadText(pageOf: streams, ids)]
    }
  }

  private static let mail = [#""mail":"#, ""]
  private static let newMail = [
    #""from":"Benchmark","subject":"Mail number "#,
    #"","message":"One of many, to be flagged and unflagged.""#,
  ]
  private static let swipedMail = [#""mail":"#, #","direction":"left-to-right","extent":2.5"#]
  private static let newItem = [#""text":"Item number "#, "\""]
  private static let movedItem = [#""item":"#, #","after":"#, ""]
}

/// One request's text with its fields.
final class LoadText {
  /// Of numbers of mails and items.
  private static let rowWidth = 8

  let text: RequestText
  let stream: RequestText.Field?
  let row: RequestText.Field?
  let anchor: RequestText.Field?

  /// - Parameter data: what stands around the numbers in the command's data.
  init(command: String, _ data: [String], to streams: LoadStreams, _ ids: RequestIDs) {
    var builder = RequestText.Builder()
    builder.add(ids.requestBeginning + #""op":"command","stream":""#)
    stream = streams.addName(to: &builder)
    builder.add(#"","command":"\#(command)","data":{"# + data[0])
    row = builder.addField(width: Self.rowWidth)
    builder.add(data[1])
    anchor = data.count > 2 ? builder.addField(width: Self.rowWidth) : nil
    if data.count > 2 { builder.add(data[2]) }
    builder.add("}}")
    text = RequestText(builder)
  }

  init(pageOf streams: LoadStreams, _ ids: RequestIDs) {
    var builder = RequestText.Builder()
    builder.add(ids.requestBeginning + #""op":"query","view":"\#(streams.category)","stream":""#)
    stream = streams.addName(to: &builder)
    row = nil
    anchor = nil
    builder.add(#"","limit":100}"#)
    text = RequestText(builder)
  }
}
