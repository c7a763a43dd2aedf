import FieldCore
import TestSupport
import Testing

@Suite("ByteSearch")
struct ByteSearchTests {
  @Test("a byte search finds what comparing at every place finds, in bytes of few values")
  func model() {
    let seed = Sample.seed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<Sample.rounds(2_000, 400, inDebug: 200) {
      func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: counts, using: &random)).map { _ in
          UInt8.random(in: 0...1, using: &random)
        }
      }
      let text = bytes(0...200)
      // A part of the text with perhaps another end, so that long beginnings match.
      let start = Int.random(in: 0...text.count, using: &random)
      let needle = text[start...].prefix(Int.random(in: 0...90, using: &random)) + bytes(0...2)
      let from = Int.random(in: 0...text.count, using: &random)
      let expected = (from...max(from, text.count)).first { place in
        place + needle.count <= text.count && text[place...].starts(with: needle)
      }
      #expect(
        ByteSearch(for: Array(needle)).firstIndex(in: text, from: from) == expected,
        "seed \(seed), round \(round)")
    }
  }

  @Test("a byte search finds a text before a combining mark, and replaces every occurrence")
  func texts() {
    #expect("a key\u{301}=b".contains(bytesOf: "key"))
    #expect(!"a kéy".contains(bytesOf: "key"))
    #expect("a<b>c<b>".suffix(afterBytesOf: "<b>") == "c<b>")
    #expect("abc".suffix(afterBytesOf: "d") == nil)
    #expect("aXbXXc".replacing(bytesOf: "X", with: "yX") == "ayXbyXyXc")
    #expect("abc".replacing(bytesOf: "", with: "x") == "abc")
  }
}
