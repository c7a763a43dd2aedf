import FieldCore
import Foundation
import Testing

@testable import WalkFirestore
@testable import WalkKit

@Suite struct StoredConflictTests {
  @Test(arguments: [
    0, -0.0, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    Date.distantPast.timeIntervalSinceReferenceDate, 0.1 + 0.2,
  ])
  func `a conflict of any date is stored and read`(_ seconds: Double) throws {
    let conflict = conflict(date: Date(timeIntervalSinceReferenceDate: seconds))
    let read = try #require(WalkConflict(conflict.record))
    let date = read.date.timeIntervalSinceReferenceDate
    #expect(date.bitPattern == seconds.bitPattern || date.isNaN && seconds.isNaN)
    #expect(read.id == conflict.id && read.subject == conflict.subject)
    #expect(read.fields == conflict.fields)
  }

  @Test(arguments: ["", "a/b", "\0\u{1}\"\\\n\u{2028}", "e\u{301}", "\u{FFFD}😀", "강"])
  func `a conflict of any text is stored and read`(_ text: String) throws {
    for subject: WalkEdit.Subject in [
      .pet(.init(rawValue: text)), .walk(.init(rawValue: text)), .place(.init(rawValue: text)),
    ] {
      let conflict = conflict(of: subject, fields: [text, "name"])
      let read = try #require(WalkConflict(conflict.record))
      #expect(read == conflict)
      #expect(read.subject.names.id.utf8.elementsEqual(text.utf8))
    }
  }

  @Test(arguments: ["", "{", "{}", #"{"type":{"stringValue":"yeti"}}"#])
  func `a conflict in another form is skipped, and the others are listed`(_ text: String) throws {
    let conflict = conflict()
    let other = WalkRecord.attachment("conflict/\(UUID())", text)
    #expect([other, conflict.record].compactMap(WalkConflict.init) == [conflict])
  }

  private func conflict(
    of subject: WalkEdit.Subject = .walk("w"), fields: [String] = ["notes/a.b", ""],
    date: Date = Device.noon
  ) -> WalkConflict {
    WalkConflict(id: UUID(), subject: subject, fields: fields, date: date)
  }
}
