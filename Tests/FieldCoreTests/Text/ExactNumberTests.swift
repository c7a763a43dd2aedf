import FieldCore
import TestSupport
import Testing

@Suite("An exact number")
struct ExactNumberTests {
  @Test(
    "an exact number is written without an exponent and without unnecessary zeros",
    arguments: [
      (0.0, "0"), (-0.0, "0"), (1, "1"), (-12.5, "-12.5"), (100, "100"), (0.0001, "0.0001"),
      (0.000_05, "0.00005"), (-1.25e-7, "-0.000000125"), (1e15, "1000000000000000"),
      (1e22, "10000000000000000000000"), (-1.5e20, "-150000000000000000000"),
      (127.123_456_789_012_34, "127.12345678901234"),
    ])
  func forms(value: Double, text: String) {
    #expect(NumberStyle.plain.string(exactly: value) == text)
  }

  @Test("an exact number parses to the same double", arguments: 1...10 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let text = NumberStyle.plain.string(exactly: value)
      #expect(Double(text) == value, "seed \(seed)")
      #expect(text.allSatisfy { "0123456789.-".contains($0) }, "seed \(seed)")
    }
  }
}
