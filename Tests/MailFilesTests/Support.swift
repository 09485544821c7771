import Foundation
import Testing

@testable import MailFiles

/// Collections of real mail that the tests read where they are present.
enum Corpus {
  static let root: String = {
    if let path = ProcessInfo.processInfo.environment["SWIPESTREAM_CORPUS"] { return path }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared/corpus").path
  }()

  static let isPresent: Bool = {
    let isPresent = FileManager.default.fileExists(atPath: root)
    if !isPresent { print("skipped: no mail corpus at \(root) (see SWIPESTREAM_CORPUS)") }
    return isPresent
  }()

  static func path(_ relative: String) -> String { root + "/" + relative }

  static func read(_ relative: String) throws -> Reading { try Reading(path(relative)) }

  static func mail(_ relative: String) throws -> MailMessage {
    let reading = try read(relative)
    return try #require(reading.mails.first)
  }
}

/// All that a reader gives for a path.
struct Reading: Equatable {
  var mails: [MailMessage] = []
  var origins: [String] = []
  /// Reasons by the last part of the origin.
  var skipped: [String: String] = [:]

  init(_ path: String) throws {
    for source in try MailReader(path: path) {
      switch source {
      case .message(let mail, let origin):
        mails.append(mail)
        origins.append(URL(fileURLWithPath: origin).lastPathComponent)
      case .skipped(let origin, let reason):
        skipped[URL(fileURLWithPath: origin).lastPathComponent] = reason
      }
    }
  }
}

/// A folder that is removed when the test ends.
final class Scratch {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "mailfiles-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

  func makeMaildir(_ name: String) throws {
    for box in ["cur", "new", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(name)/\(box)", withIntermediateDirectories: true)
    }
  }
}

/// One message file, read.
func mail(_ text: String) throws -> MailMessage { try mail(Array(text.utf8)) }

func mail(_ bytes: [UInt8]) throws -> MailMessage {
  let scratch = try Scratch()
  let reading = try Reading(scratch.write("one.eml", bytes))
  return try #require(reading.mails.first, "\(reading.skipped)")
}

/// An mbox, read.
func mbox(_ text: String) throws -> Reading {
  let scratch = try Scratch()
  return try Reading(scratch.write("box", text))
}
