internal import SwipestreamClient

/// When a tool begins: several begin together.
enum BenchStart {
  static let help =
    "  --when-told     say `ready` when all that it needs is there, begin on a line of input"

  static func whenTold(_ arguments: Arguments) -> () -> Void {
    let isTold = arguments.has("--when-told")
    return {
      guard isTold else { return }
      Output.print("ready")
      Output.flush()
      _ = readLine()
    }
  }
}

/// The running service that a tool measures.
enum BenchEndpoint {
  static let help = """
      --endpoint EP   the service's command endpoint (or SWIPESTREAM_ENDPOINT;
                      default \(ServiceClient.defaultEndpoint))
    """

  static func name(_ arguments: Arguments) throws(Failure) -> String {
    try arguments.one("--endpoint") ?? Environment["SWIPESTREAM_ENDPOINT"]
      ?? ServiceClient.defaultEndpoint
  }

  static func peer(_ arguments: Arguments) throws(Failure) -> BenchmarkPeer {
    try BenchmarkPeer(endpoint: try name(arguments))
  }
}
