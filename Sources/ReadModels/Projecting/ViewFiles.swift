internal import Glibc

/// One file of a view: a rebuild makes the next generation beside it.
struct ViewFile: Equatable, Sendable {
  let view: String
  let version: UInt32
  let generation: Int

  var name: String {
    "\(view)-v\(version)" + (generation == 0 ? "" : ".\(generation)") + ".sqlite"
  }

  /// While it is built it has another name, so that nobody takes it for whole.
  var buildingName: String { name + ".building" }

  var next: ViewFile { ViewFile(view: view, version: version, generation: generation + 1) }

  /// Nil where `name` is not that of a finished file of this view and version.
  init?(name: String, view: String, version: UInt32) {
    let first = ViewFile(view: view, version: version, generation: 0)
    if name == first.name {
      self = first
      return
    }
    let prefix = "\(view)-v\(version)."
    let suffix = ".sqlite"
    guard name.hasPrefix(prefix), name.hasSuffix(suffix),
      name.utf8.count > prefix.utf8.count + suffix.utf8.count,
      let generation = Int(name.dropFirst(prefix.count).dropLast(suffix.count)), generation > 0
    else { return nil }
    self.init(view: view, version: version, generation: generation)
  }

  init(view: String, version: UInt32, generation: Int) {
    self.view = view
    self.version = version
    self.generation = generation
  }
}

/// The directory of the views' files. All in it is disposable.
struct ViewDirectory: Sendable {
  let path: String

  /// What SQLite keeps beside a database.
  private static let companions = ["", "-wal", "-shm", "-journal"]

  func path(of file: ViewFile) -> String { path + "/" + file.name }
  func buildingPath(of file: ViewFile) -> String { path + "/" + file.buildingName }

  /// Makes the directory and those above it.
  func create() throws(ReadModelError) {
    var partial = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      partial += "/" + part
      guard mkdir(partial, 0o700) == 0 || errno == EEXIST else {
        throw ReadModelError(errno: errno, context: "make the views' directory")
      }
    }
  }

  func names() -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a file and its companions. Whoever has it open can go on reading.
  func remove(_ file: ViewFile) { remove(path(of: file)) }

  func removeBuilding(_ file: ViewFile) { remove(buildingPath(of: file)) }

  private func remove(_ path: String) {
    for companion in Self.companions { unlink(path + companion) }
  }

  /// Removes all that belongs to a view but the file `kept` and its companions: older versions and
  /// generations, and what a killed rebuild left.
  func removeLeftovers(of view: String, except kept: ViewFile) {
    for name in names() where name.hasPrefix(view + "-v") {
      if !Self.companions.contains(where: { kept.name + $0 == name }) { unlink(path + "/" + name) }
    }
  }

  /// Gives a finished file its name, durably: a file that has it is whole.
  func finish(_ file: ViewFile) throws(ReadModelError) {
    try sync(buildingPath(of: file))
    guard rename(buildingPath(of: file), path(of: file)) == 0 else {
      throw ReadModelError(errno: errno, context: "rename a rebuilt view")
    }
    try sync(path)
  }

  private func sync(_ path: String) throws(ReadModelError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ReadModelError(errno: errno, context: "open to sync") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw ReadModelError(errno: errno, context: "sync") }
  }

  /// 0 where there is no such file.
  func size(of file: ViewFile) -> Int {
    var status = stat()
    return stat(path(of: file), &status) == 0 ? Int(status.st_size) : 0
  }
}

extension ReadModelError {
  init(errno code: Int32, context: String) {
    self.init(code: -code, message: String(cString: strerror(code)), context: context)
  }
}
