import Foundation
import TestSupport
import Testing

@testable import FieldCore

@Suite("The stable hash of an ID")
struct StableHashTests {
  @Test("the stable hash is equal for equal texts, and missing for texts unlike any ASCII text")
  func equivalence() {
    let ascii = Dictionary(
      uniqueKeysWithValues: (0..<128 as Range<UInt8>).map { byte in
        (String(UnicodeScalar(byte)), StableHash.of(String(UnicodeScalar(byte)), seed: 7))
      })
    #expect(ascii.values.allSatisfy { $0 != nil })
    #expect(Set(ascii.values).count == 128)
    var equivalent: [UInt32] = []
    // Scalars in other ranges are ideographs and syllables, which the long form tries as well.
    let ranges: [ClosedRange<UInt32>] =
      Sample.isWhole ? [0x80...0xD7FF, 0xE000...0x10FFFF] : [0x80...0x33FF, 0xF900...0xFFFF]
    for scalar in ranges.joined().lazy.compactMap(UnicodeScalar.init) {
      let text = String(scalar)
      let hash = StableHash.of(text, seed: 7)
      guard let expected = ascii[text] else {
        if hash != nil { Issue.record("\(text) has a hash") }
        continue
      }
      #expect(hash == expected)
      equivalent.append(scalar.value)
    }
    #expect(equivalent == [0x37E, 0x1FEF, 0x212A])
    #expect(StableHash.of("27\u{212A}", seed: 1) == StableHash.of("27K", seed: 1))
    #expect(StableHash.of("é\u{212A}", seed: 1) == nil)
    #expect(StableHash.of("e\u{301}", seed: 1) == nil)
  }

  @Test("the stable hash of an ID depends on each byte, on the length, and on the seed")
  func spread() {
    let texts = (0..<20_000).map { "\($0)" } + (0...40).map { String(repeating: "\0", count: $0) }
    for seed in [0, 1, UInt64.random(in: 0...UInt64.max)] {
      // Two of so many numbers of 32 bits are equal once in twenty tries.
      #expect(Set(texts.map { StableHash.of($0, seed: seed) }).count > texts.count - 5)
      #expect(Set((0..<20_000).map { StableHash.of($0, seed: seed) }).count > 20_000 - 5)
    }
    #expect(Set((0..<1000).map { StableHash.of("Aachen", seed: $0) }).count > 998)
  }

  @Test("the stable hash of an ID never changes, because files contain it")
  func pinned() {
    #expect(StableHash.of(0, seed: 0) == 0)
    #expect(StableHash.of(10_036, seed: 1) == 2_290_550_377)
    #expect(StableHash.of("", seed: 1) == 1_867_345_361)
    #expect(StableHash.of("Aachen", seed: 1) == 1_794_408_826)
    #expect(StableHash.of("row-a1b2.c3d4_e5f6", seed: .max) == 2_717_059_510)
  }
}
