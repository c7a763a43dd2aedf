import FieldCore
import Testing

@Suite("An amortized value")
struct AmortizedTests {
  @Test("an amortized value is made once, after doing without it has cost its price")
  func price() {
    let made = Lock(0)
    let value = Amortized(after: 10, done: 1) {
      made.withLock {
        $0 += 1
        return $0
      }
    }
    #expect(value.value(insteadOf: 4) == nil)
    #expect(value.workDone == 5)
    #expect(value.value(insteadOf: 4) == nil)
    #expect(value.value(insteadOf: 4) == nil)
    #expect(value.madeValue == nil)
    for _ in 0..<3 { #expect(value.value(insteadOf: 4) == 1) }
    #expect(value.value == 1)
    #expect(made.withLock { $0 } == 1)
  }

  @Test(
    "an amortized value is made at once if it is needed or free, and survives any amount of work")
  func extremes() {
    #expect(Amortized(after: 0) { 1 }.value(insteadOf: 1) == 1)
    #expect(Amortized(after: 5) { 1 }.value == 1)
    #expect(Amortized(made: 1).value(insteadOf: 1) == 1)
    let endless = Amortized(after: .max) { 1 }
    for _ in 0..<2 { #expect(endless.value(insteadOf: .max - 1) == nil) }
    #expect(endless.value(insteadOf: 1) == 1)
  }
}
