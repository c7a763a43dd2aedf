import FieldCore
import Testing

@Suite("A turn of a store's users")
struct StoreTurnTests {
  @Test("a turn of a store's users ends after 16 reads, or after four commits")
  func counts() {
    var turn = StoreTurn()
    for _ in 1...3 {
      let ends = (1...16).filter { _ in turn.hasEnded(after: 1, at: .zero) }
      #expect(ends == [16])
    }
    let ends = (1...8).filter { _ in turn.hasEnded(after: StoreTurn.commit, at: .zero) }
    #expect(ends == [4, 8])
  }

  @Test("a turn of a store's users ends with the first read after a millisecond")
  func time() {
    var turn = StoreTurn()
    let ends = [0, 999, 1_000, 1_999, 5_000].filter { microseconds in
      turn.hasEnded(after: 1, at: .seconds(77) + .microseconds(microseconds))
    }
    #expect(ends == [1_000, 5_000])
  }
}
