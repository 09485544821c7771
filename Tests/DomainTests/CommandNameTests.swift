import FastJSON
import Testing

@testable import Domain

struct CommandNameTests {
  @Test func everyChangeIsFoundByItsName() {
    for change in MailChange.allCases {
      #expect(change.rawValue.withJSONText { MailChange($0) } == change)
    }
    for change in ItemChange.allCases {
      #expect(change.rawValue.withJSONText { ItemChange($0) } == change)
    }
    for name in ["", "flags", "Flag", "fla"] {
      #expect(name.withJSONText { MailChange($0) } == nil)
      #expect(name.withJSONText { ItemChange($0) } == nil)
    }
  }
}
