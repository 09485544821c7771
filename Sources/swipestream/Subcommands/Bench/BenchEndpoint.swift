internal import SwipestreamClient

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
