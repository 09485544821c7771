internal import CFuzzer
internal import Glibc

/// Runs one parser on whatever libFuzzer thinks of; `Scripts/fuzz` builds and calls it.
@main
enum Fuzz {
  private static let usage = """
    usage: fuzz list                        the targets
           fuzz seeds TARGET DIR            writes a target's first inputs
           fuzz TARGET [OPTION…] [DIR…]     libFuzzer's options, and folders of inputs

    """

  fileprivate static let target = FuzzTarget.all.first {
    CommandLine.arguments.dropFirst().first == $0.name
  }

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.first, arguments.count) {
    case ("list", 1):
      for target in FuzzTarget.all { print(target.name) }
    case ("seeds", 3):
      guard let target = FuzzTarget.all.first(where: { $0.name == arguments[2] }) else { break }
      for (index, seed) in target.seeds().enumerated() {
        write(seed, to: "\(arguments[3])/seed-\(index)")
      }
      return
    default: break
    }
    guard target != nil else {
      if arguments.first != "list" { fail(usage) }
      return
    }
    run()
  }

  /// Gives libFuzzer the arguments without the target's name.
  private static func run() {
    var count = CommandLine.argc - 1
    var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      CommandLine.unsafeArgv.advanced(by: 1)
    values?[0] = CommandLine.unsafeArgv[0]
    exit(LLVMFuzzerRunDriver(&count, &values, fuzzOneInput))
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { fail("cannot write \(path)\n") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  private static func fail(_ message: String) -> Never {
    // `stderr` is a variable, which Swift 6 lets nobody read.
    _ = message.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
    exit(2)
  }
}

/// Called for each input; libFuzzer's library wants it under this name.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzz.target?.run(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}
