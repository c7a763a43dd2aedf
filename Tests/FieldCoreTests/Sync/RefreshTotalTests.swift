import FieldCore
import Foundation
import Testing

@Suite("The progress of several kits")
struct RefreshTotalTests {
  /// The steps that a total passes on after a step of a kit, with the fraction of all kits: `1 50` within a
  /// run, and `1! 50` at its end.
  private func pass(_ kit: Int, _ percent: Int?, to total: inout RefreshTotal) -> [String] {
    let step = percent.map {
      RefreshProgress(
        kit: "\(kit)", phase: $0 == 100 ? .finished : .reading, fractionCompleted: Double($0) / 100,
        outcome: $0 == 100 ? .cancelled : nil)
    }
    return total.steps(after: RefreshTotal.Event(kit: kit, step: step)).map {
      "\($0.kit)\($0.outcome == nil ? "" : "!") \(Int((($0.totalFraction ?? -1) * 100).rounded()))"
    }
  }

  @Test(
    "the progress of several kits holds the last step back until the others have something to do")
  func awaited() {
    var total = RefreshTotal(awaiting: 0..<4)
    #expect(pass(0, 40, to: &total) == ["0 10"])
    #expect(pass(1, 100, to: &total) == ["1! 35"])
    #expect(pass(0, 100, to: &total) == [])  // may be the last
    #expect(pass(2, nil, to: &total) == [])
    #expect(pass(3, 50, to: &total) == ["0! 67", "3 83"])
    #expect(pass(3, 100, to: &total) == ["3! 100"])
  }

  @Test("the progress of several kits ends at 1 if the last kit, or none, has anything to refresh")
  func idle() {
    var total = RefreshTotal(awaiting: 0..<3)
    #expect(pass(0, nil, to: &total) == [])
    #expect(pass(1, 100, to: &total) == [])
    #expect(pass(2, nil, to: &total) == ["1! 100"])
    total = RefreshTotal(awaiting: 0..<1)
    #expect(pass(0, nil, to: &total) == [])
  }

  @Test(
    "the progress of several kits never decreases while kits join, and begins again after the end")
  func repeated() {
    var total = RefreshTotal(awaiting: 0..<0)
    #expect(pass(0, 50, to: &total) == ["0 50"])
    #expect(pass(1, 4, to: &total) == ["1 50"])
    #expect(pass(0, 100, to: &total) == ["0! 52"])
    #expect(pass(1, 100, to: &total) == ["1! 100"])
    #expect(pass(1, 20, to: &total) == ["1 20"])
    #expect(pass(1, 100, to: &total) == ["1! 100"])
  }
}
