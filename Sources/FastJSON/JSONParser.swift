internal import CSimdjson

/// What was wrong with a text that is not one JSON document.
public struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
}

/// Parses JSON texts one after another, reusing its buffers.
///
/// A parser belongs to one thread at a time; it is not `Sendable`.
public final class JSONParser {
  private let parser: OpaquePointer

  public init() {
    guard let parser = swipestream_json_parser_create() else {
      fatalError("out of memory for a JSON parser")
    }
    self.parser = parser
  }

  deinit { swipestream_json_parser_destroy(parser) }

  /// The root value of the document in `bytes`.
  ///
  /// The value, and all that is reached through it, is valid until the next call of `parse` on this
  /// parser, or its end; whoever keeps something copies it (`string`, `JSON(_:)`). Values do not
  /// keep the parser alive: beside a parser in a local variable goes
  /// `defer { withExtendedLifetime(parser) {} }`.
  ///
  /// - Throws: `JSONSyntaxError` for text that is not exactly one JSON document in UTF-8, is nested
  ///   deeper than 1,024, or holds an integer beyond 64 bits or a number beyond a double.
  public func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> JSONValue {
    var tape: UnsafePointer<UInt64>?
    var strings: UnsafePointer<UInt8>?
    let code = swipestream_json_parse(
      parser, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &tape, &strings)
    guard code == 0, let tape, let strings else {
      throw JSONSyntaxError(description: String(cString: swipestream_json_error_message(code)))
    }
    return JSONValue(tape: tape, strings: strings, index: 1)
  }

  /// The root value of the document in `bytes`; see ``parse(_:)-(UnsafeRawBufferPointer)``.
  public func parse(_ bytes: some Collection<UInt8>) throws(JSONSyntaxError) -> JSONValue {
    // Never inside `withContiguousStorage…`: its closure cannot throw a typed error.
    let parsed: Result<JSONValue, JSONSyntaxError>? = bytes.withContiguousStorageIfAvailable {
      storage in
      do throws(JSONSyntaxError) {
        return .success(try parse(UnsafeRawBufferPointer(storage)))
      } catch {
        return .failure(error)
      }
    }
    guard let parsed else { return try parse(Array(bytes)) }
    return try parsed.get()
  }
}
