internal import Glibc

/// A service of this executable, for as long as something is measured.
enum OwnService {
  /// Starts the service on a new directory and ends it when `use` is done.
  ///
  /// - Parameter use: gets the command endpoint.
  static func with<Result>(
    directory: String, _ use: (String) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw failure("make a pipe", errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let process = try start(directory, output: ends[1])
    close(ends[1])
    defer {
      kill(process, SIGTERM)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
    return try use(try endpoint(from: ends[0]))
  }

  private static func start(_ directory: String, output: Int32) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    let words = [
      "swipestream", "serve", "--data", directory, "--commands", "tcp://127.0.0.1:*", "--events",
      "tcp://127.0.0.1:*",
    ]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, "/proc/self/exe", &actions, nil, &arguments, environ)
    guard code == 0 else { throw failure("start a service", code) }
    return process
  }

  /// Waits for what `serve` says once it is ready.
  private static func endpoint(from output: Int32) throws(Failure) -> String {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(output, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      // It has said why on standard error.
      guard count > 0 else { throw Failure(.refused, "the service ended before it was ready") }
      text += chunk.prefix(count)
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
      guard lines.contains("ready") else { continue }
      for line in lines where line.hasPrefix("commands ") {
        return String(line.dropFirst("commands ".count).drop { $0 == " " })
      }
      throw Failure(.refused, "the service told no command endpoint")
    }
  }

  private static func failure(_ what: String, _ code: Int32) -> Failure {
    Failure(.refused, "cannot \(what): \(String(cString: strerror(code)))")
  }
}
