public import EventSourcing
internal import FastJSON

/// Writes events as clients get them, one behind the other, into one piece of memory that is handed
/// on as it is.
///
/// The text is that of ``EventSourcing/RecordedEvent/write(previous:to:)``. A history is sent as
/// fast as this is, so room is made once for each event, and all between the stored bytes is put
/// there by a few moves.
///
/// A copy shares the memory, so one that has been begun may be used further in one place only.
public struct EventWriter {
  private var memory: TextMemory?
  /// Bytes written since the memory was last taken.
  public private(set) var count = 0
  private var needsComma = false
  /// What the next piece of memory will probably have to hold.
  private var expected = 0
  private var clock = ClockText()

  private static let leastCapacity = 1024

  public init() {}

  public var isEmpty: Bool { count == 0 }

  /// Adds text as it is; no comma comes between it and the next event.
  public mutating func add(_ text: some Collection<UInt8>) {
    let out = UnsafeMutableRawBufferPointer(start: room(text.count), count: text.count)
    out.copyBytes(from: text)
    count += text.count
    needsComma = false
  }

  /// Adds an event, behind a comma where there is one before it.
  ///
  /// - Parameter previous: the event's `prev`, left out where nil.
  public mutating func add(_ event: EventView, previous: GlobalPosition?) {
    guard event.type.isPlainText else { return addEscaped(event, previous: previous) }
    let start = room(event.writtenBytesLimit)
    var out = TextCursor(start, room: event.writtenBytesLimit)
    if needsComma { out.put(UInt8(ascii: ",")) }
    needsComma = true
    out.put(#"{"position":"#)
    out.put(event.position.rawValue)
    out.put(#","stream":""#)
    // A stream's name has nothing that must be escaped.
    out.put(event.stream)
    out.put(#"","revision":"#)
    out.put(event.revision.rawValue)
    out.put(#","type":""#)
    out.put(event.type)
    out.put(#"","schema":"#)
    out.put(UInt64(event.schema))
    out.put(#","time":""#)
    clock.put(event.time, to: &out)
    out.put(#"","data":"#)
    out.put(event.data)
    out.put(#","meta":"#)
    out.put(event.meta)
    if let previous {
      out.put(#","prev":"#)
      out.put(previous.rawValue)
    }
    out.put(UInt8(ascii: "}"))
    count += out.pointer - start
  }

  private mutating func addEscaped(_ event: EventView, previous: GlobalPosition?) {
    var writer = JSONWriter()
    event.recorded.write(previous: previous, to: &writer)
    if needsComma { add(CollectionOfOne(UInt8(ascii: ","))) }
    add(writer.bytes)
    needsComma = true
  }

  /// Hands the memory over, and begins anew.
  public mutating func take() -> MessageBytes {
    guard var memory else { return MessageBytes([]) }
    // What waits to be sent is counted by its text, so it must not take much more than that.
    if memory.capacity > count + count / 4 + Self.leastCapacity {
      memory = TextMemory(capacity: count, copying: memory, count: count)
    }
    defer {
      self.memory = nil
      expected = count
      count = 0
      needsComma = false
    }
    return MessageBytes(memory, count: count)
  }

  /// Where the next bytes go: there is room for as many.
  @inline(__always)
  private mutating func room(_ bytes: Int) -> UnsafeMutableRawPointer {
    if let memory, memory.capacity - count >= bytes { return memory.start + count }
    return grow(bytes)
  }

  private mutating func grow(_ bytes: Int) -> UnsafeMutableRawPointer {
    let needed = max(
      count + bytes, (memory?.capacity ?? 0) * 2,
      expected + expected / 16 + Self.leastCapacity)
    let larger = TextMemory(capacity: needed, copying: memory, count: count)
    memory = larger
    return larger.start + count
  }
}

extension EventView {
  /// At most as many bytes as the event takes when it is written, its comma included.
  public var writtenBytesLimit: Int {
    // Member names and punctuation, four numbers of up to 20 digits, and the time.
    data.count + meta.count + stream.count + type.count + 256
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a JSON string holds these bytes as they are.
  fileprivate var isPlainText: Bool {
    for byte in self {
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
        return false
      }
    }
    return true
  }
}
