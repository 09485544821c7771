import Foundation
import Testing

@testable import MailFiles

@Suite("Maildir folder")
struct MaildirFolderTests {
  private let text = "Subject: s\nFrom: a@example.org\n\nbody\n"

  private func folder(_ names: [String], _ body: (Scratch, MaildirFolder) throws -> Void) throws {
    let scratch = try Scratch()
    try scratch.makeMaildir("box")
    for name in names { try scratch.write("box/\(name)", text) }
    try body(scratch, try MaildirFolder(path: scratch.path + "/box"))
  }

  private func files(_ scratch: Scratch) throws -> [String] {
    try ["cur", "new"].flatMap { box in
      try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/box/\(box)").sorted()
        .map { "\(box)/\($0)" }
    }
  }

  @Test func listing() throws {
    let names = [
      "new/1.a", "new/2.b:2,S", "cur/3.c:2,FRST", "cur/4.d", "cur/5.e!2,S", "cur/.hidden",
      "cur/dovecot.index", "tmp/6.f", "new/7.g", "cur/7.g:2,F",
    ]
    try folder(names) { _, folder in
      let listing = try folder.list()
      let found = Dictionary(
        uniqueKeysWithValues: listing.entries.map { ($0.key.description, $0.value.flags) })
      #expect(
        found == [
          "1.a": [], "2.b": [], "3.c": [.flagged, .answered, .read, .trashed], "4.d": [],
          "5.e": .read, "7.g": .flagged,
        ])
      #expect(listing.entries.values.count { $0.isNew } == 2)
    }
  }

  /// Name before, set, clear, name after.
  @Test(arguments: [
    ("new/1.a", "S", "", "cur/1.a:2,S"), ("new/1.a", "F", "", "cur/1.a:2,F"),
    ("new/1.a:2,S", "F", "", "cur/1.a:2,F"), ("new/1.a:2,S", "S", "", "cur/1.a:2,S"),
    ("new/1.a", "", "S", "new/1.a"), ("cur/1.a", "T", "", "cur/1.a:2,T"),
    ("cur/1.a:2,RS", "FT", "S", "cur/1.a:2,FRT"), ("cur/1.a:2,SF", "T", "", "cur/1.a:2,FST"),
    ("cur/1.a:2,PaDbS", "F", "", "cur/1.a:2,DFPSab"), ("cur/1.a:2,FS", "", "FS", "cur/1.a:2,"),
    ("cur/1.a!2,S", "F", "", "cur/1.a!2,FS"), ("cur/1.a:1,x", "S", "", "cur/1.a:1,x:2,S"),
    ("cur/1.a:2,S", "S", "F", "cur/1.a:2,S"), ("cur/1.a:2,SS", "F", "", "cur/1.a:2,FS"),
    ("cur/1.ä:2,", "S", "", "cur/1.ä:2,S"),
  ])
  func change(_ before: String, _ set: String, _ clear: String, _ after: String) throws {
    try folder([before]) { scratch, folder in
      let entry = try #require(try folder.list().entries.values.first)
      let changed = try #require(
        try folder.change(
          entry, setting: MailFlags(maildirLetters: set.utf8),
          clearing: MailFlags(maildirLetters: clear.utf8)))
      #expect(try files(scratch) == [after])
      #expect(changed.key == entry.key)
      let listed = try folder.list()[entry.key]
      #expect(listed?.flags == changed.flags)
      #expect(listed?.isNew == changed.isNew)
    }
  }

  @Test func aFileThatAnotherProgramRenamedIsFoundAgain() throws {
    try folder(["new/1.a"]) { scratch, folder in
      let entry = try #require(try folder.list().entries.values.first)
      let box = scratch.path + "/box"
      try FileManager.default.moveItem(atPath: box + "/new/1.a", toPath: box + "/cur/1.a:2,FR")
      let changed = try folder.change(entry, setting: .read, clearing: .trashed)
      #expect(changed?.flags == [.read, .flagged, .answered])
      #expect(try files(scratch) == ["cur/1.a:2,FRS"])
    }
  }

  @Test func aFileThatIsGoneIsNil() throws {
    try folder(["new/1.a"]) { scratch, folder in
      let entry = try #require(try folder.list().entries.values.first)
      try FileManager.default.removeItem(atPath: scratch.path + "/box/new/1.a")
      #expect(try folder.change(entry, setting: .read, clearing: []) == nil)
      guard case .skipped = folder.read(entry) else {
        Issue.record("it was read")
        return
      }
    }
  }

  @Test func noFileIsEverOverwritten() throws {
    try folder(["new/1.a"]) { scratch, folder in
      let entry = try #require(try folder.list().entries.values.first)
      try scratch.write("box/cur/1.a:2,S", "another")
      #expect(throws: MailFilesError.self) {
        try folder.change(entry, setting: .read, clearing: [])
      }
      #expect(try files(scratch) == ["cur/1.a:2,S", "new/1.a"])
    }
  }

  /// A long run of changes leaves one file, of the same unique part, with what was asked for.
  @Test func manyChanges() throws {
    try folder(["new/1.a"]) { scratch, folder in
      var random = SystemRandomNumberGenerator()
      var flags: MailFlags = []
      var entry = try #require(try folder.list().entries.values.first)
      for _ in 0..<200 {
        let set = MailFlags(rawValue: UInt8.random(in: 0...15, using: &random))
        let clear = MailFlags(rawValue: UInt8.random(in: 0...15, using: &random)).subtracting(set)
        flags = flags.subtracting(clear).union(set)
        entry = try #require(try folder.change(entry, setting: set, clearing: clear))
        #expect(entry.flags == flags)
        let letters = String(decoding: flags.maildirLetters, as: UTF8.self)
        #expect(letters == String(letters.sorted()))
        if !entry.isNew { #expect(try files(scratch) == ["cur/1.a:2,\(letters)"]) }
      }
    }
  }

  @Test func keysAsText() throws {
    for bytes: [UInt8] in [[0x31], [0xFF, 0x25], [0x20, 0x0A], Array("ä".utf8), [0x41, 0x3A]] {
      let key = MaildirKey(bytes)
      #expect(MaildirKey(key.description) == key)
      #expect(key.description.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    }
    for text in ["", "%", "%4", "%zz", "%41", "a b", "ä", "%FF", "%+f"] {
      #expect(MaildirKey(text) == nil, "\(text)")
    }
  }

  @Test func whatIsNoMaildir() throws {
    let scratch = try Scratch()
    #expect(throws: MailFilesError.self) { try MaildirFolder(path: scratch.path + "/none") }
    #expect(throws: MailFilesError.self) { try MaildirFolder(path: scratch.path) }
  }
}

@Suite("Maildir watch and notes")
struct MaildirWatchTests {
  @Test func itIsListedAgainWhenSomethingChanges() throws {
    let scratch = try Scratch()
    try scratch.makeMaildir("box")
    var watch = MaildirWatch(try MaildirFolder(path: scratch.path + "/box"))
    var now = 0
    for count in 0..<30 {
      #expect(try watch.listing(now: now).entries.count == count)
      // Some changes come at once, within one tick of the file system's time; others after the
      // listing has settled.
      now += [0, 1, 3000, 6000][count % 4]
      _ = try watch.listing(now: now)
      try scratch.write("box/\(count % 2 == 0 ? "new" : "cur")/\(count).host", "x")
    }
  }

  @Test func aSettledListingIsKept() throws {
    let scratch = try Scratch()
    try scratch.makeMaildir("box")
    var watch = MaildirWatch(try MaildirFolder(path: scratch.path + "/box"))
    // With the folder's time put back, a change cannot be seen; that it is not shows that nothing
    // was listed.
    func add(_ name: String) throws {
      let box = scratch.path + "/box/cur"
      try scratch.write("box/cur/\(name)", "x")
      let date = Date(timeIntervalSince1970: 1_700_000_000)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: box)
    }
    try add("1.host")
    #expect(try watch.listing(now: 0).entries.count == 1)
    try add("2.host")
    #expect(try watch.listing(now: 2000).entries.count == 2)
    #expect(try watch.listing(now: 5000).entries.count == 2)
    try add("3.host")
    #expect(try watch.listing(now: 9000).entries.count == 2)
    watch.forget()
    #expect(try watch.listing(now: 9000).entries.count == 3)
  }

  @Test func notes() throws {
    let scratch = try Scratch()
    try scratch.makeMaildir("box")
    let folder = try MaildirFolder(path: scratch.path + "/box")
    #expect(try folder.note(".state") == nil)
    try folder.replaceNote(".state", with: [1, 2, 3])
    try folder.replaceNote(".state", with: [4])
    #expect(try folder.note(".state") == [4])
    #expect(!FileManager.default.fileExists(atPath: scratch.path + "/box/.state.tmp"))
    #expect(try Array(MailReader(path: scratch.path + "/box")).isEmpty)
  }

  @Test func oneLockAtATime() throws {
    let scratch = try Scratch()
    try scratch.makeMaildir("box")
    let folder = try MaildirFolder(path: scratch.path + "/box")
    do {
      let lock = try folder.lock(".lock")
      withExtendedLifetime(lock) {
        do throws(MailFilesError) {
          _ = try folder.lock(".lock")
          Issue.record("it was locked twice")
        } catch {
          #expect(error.code == .locked)
        }
      }
    }
    _ = try folder.lock(".lock")
  }
}
