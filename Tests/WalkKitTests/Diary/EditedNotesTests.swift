import Foundation
import Testing

@testable import WalkKit

@Suite(.timeLimit(.minutes(60))) struct EditedNotesTests {
  private static func notes(_ texts: String) -> [WalkNote] {
    texts.map { WalkNote(text: "\($0)", time: DiaryBench.noon) }
  }

  /// The notes as a form has found them, as its owner has left them, as they are by then, and as both want them.
  @Test(arguments: [
    ("abc", "abc", "abc", "abc"), ("abc", "ac", "abc", "ac"), ("abc", "ac", "abcd", "acd"),
    ("abc", "ac", "aBc", "aBc"), ("abc", "aXc", "aBc", "aBXc"), ("abc", "abcx", "b", "bx"),
    ("abc", "cba", "xabc", "xcba"), ("aab", "ab", "aab", "ab"), ("", "x", "y", "yx"),
    ("abc", "", "abc", ""), ("ab", "b", "b", "b"), ("ab", "x", "", "x"),
    ("ab", "abx", "abx", "abx"), ("ab", "b", "ba", "b"), ("abc", "bca", "bca", "bca"),
  ])
  func `a change of notes keeps what has happened since they were read`(
    _ original: String, _ edited: String, _ current: String, _ expected: String
  ) async throws {
    let bench = DiaryBench()
    let pet = try await bench.diary.register(DiaryBench.form("a"))
    let walk = try await bench.save("w", of: [pet])
    try await bench.diary.update(walk.id, WalkChanges(notes: Self.notes(current)))
    let changed = try await bench.diary.update(
      walk.id,
      WalkChanges(notes: Self.notes(edited), editedFrom: Self.notes(original)))
    #expect(changed.notes == Self.notes(expected))
    let whole = try await bench.diary.update(walk.id, WalkChanges(notes: Self.notes(edited)))
    #expect(whole.notes == Self.notes(edited))
    let none = WalkChanges(weather: .rain, editedFrom: Self.notes(original))
    #expect(try await bench.diary.update(walk.id, none).notes == whole.notes)
  }
}
