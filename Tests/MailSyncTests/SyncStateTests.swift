import MailFiles
import SwipestreamTesting
import Testing

@testable import MailSync

@Suite("Sync state")
struct SyncStateTests {
  private func sample() throws -> SyncState {
    var state = SyncState(stream: "mailbox/inbox", log: "log-1")
    for (index, name) in ["1.host", "2.%ff%25", "3.\"quoted\"", "4.a,b=c"].enumerated() {
      let key = try #require(MaildirKey(name))
      state.files[key] = SyncedFile(mail: index + 1, agreed: SyncPlanTests.all[index + 3])
    }
    return state
  }

  @Test func comesBackAsItWas() throws {
    let state = try sample()
    #expect(SyncState(state.content, stream: "mailbox/inbox") == state)
    let empty = SyncState(stream: "mailbox/inbox", log: "log-1")
    #expect(SyncState(empty.content, stream: "mailbox/inbox") == empty)
  }

  @Test func anotherStreamsIsNotTaken() throws {
    #expect(try SyncState(sample().content, stream: "mailbox/other") == nil)
  }

  /// Cut off anywhere it is none; with bytes changed it is none or another, and nothing worse.
  @Test func damageIsNoticed() throws {
    let content = try sample().content
    for count in 0..<content.count {
      #expect(SyncState(Array(content.prefix(count)), stream: "mailbox/inbox") == nil)
    }
    var random = SeededRandom(seed: 1)
    for _ in 0..<2000 {
      var damaged = content
      damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
      for file in SyncState(damaged, stream: "mailbox/inbox")?.files.values ?? [:].values {
        #expect(file.mail > 0 && MailFlags.synced.isSuperset(of: file.agreed))
      }
    }
  }

  @Test func entriesThatMakeNoSenseAreNotTaken() {
    let wrong = [
      #"["1.host",0,""]"#, #"["1.host",1]"#, #"["",1,""]"#, #"["%zz",1,""]"#, #"["%41",1,""]"#,
      #"["1.host",1,"SF"]"#, #"["1.host",1,"X"]"#, #"["1.host","1",""]"#, "7",
    ]
    for entry in wrong {
      let text = #"{"version":1,"stream":"mailbox/a","log":"l","files":[\#(entry)]}"#
      #expect(SyncState(Array(text.utf8), stream: "mailbox/a") == nil, "\(entry)")
    }
  }
}

@Suite("The service's flags")
struct ServiceFlagsTests {
  @Test func eventsAreTakenIn() {
    var flags = ServiceFlags([1: .read])
    flags.apply("mail.delivered", mail: 2, delivered: [.flagged, .answered])
    #expect(flags[2] == .flagged)
    flags.apply("mail.unread", mail: 1, delivered: [])
    flags.apply("mail.trashed", mail: 1, delivered: [])
    flags.apply("mail.flagged", mail: 1, delivered: [])
    #expect(flags[1] == [.flagged, .trashed])
    flags.apply("mail.restored", mail: 1, delivered: [])
    flags.apply("mail.unflagged", mail: 1, delivered: [])
    flags.apply("mail.read", mail: 1, delivered: [])
    flags.apply("mail.reordered", mail: 1, delivered: [])
    flags.apply("mailbox.swipe-configured", mail: 9, delivered: [])
    #expect(flags[1] == .read)
    #expect(!flags.isIncomplete)
    flags.apply("mail.purged", mail: 1, delivered: [])
    #expect(flags[1] == nil)
    #expect(!flags.isIncomplete)
  }

  @Test func anUnknownMailMeansThatSomethingWasMissed() {
    var flags = ServiceFlags()
    flags.apply("mail.restored", mail: 3, delivered: [])
    #expect(flags.isIncomplete)
    #expect(flags[3] == nil)
  }
}
