import FieldCore
import TestSupport
import Testing

@Suite("A page of results")
struct ArrayPageTests {
  @Test(
    "a page of results is the result of offset and limit",
    arguments: [
      (0, nil, [1, 2, 3, 4]), (1, nil, [2, 3, 4]), (9, nil, []), (-1, nil, [1, 2, 3, 4]),
      (0, 2, [1, 2]), (3, 2, [4]), (0, 9, [1, 2, 3, 4]), (0, 0, []), (0, -1, []),
      (.max, .max, []),
    ] as [(Int, Int?, [Int])])
  func page(offset: Int, limit: Int?, left: [Int]) {
    #expect([1, 2, 3, 4].page(offset: offset, limit: limit) == left)
  }
}

@Suite("The first elements in an order")
struct FirstElementsTests {
  @Test(
    "the first elements in an order are those of the whole sorted, with equal ones in their order",
    arguments: [1, 2, 3])
  func sameAsSorting(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<Sample.rounds(40, 40, inDebug: 12) {
      let numbers = (0..<Int.random(in: 0...3_000, using: &generator)).map { place in
        (key: Int.random(in: 0...200, using: &generator), place: place)
      }
      let sorted = numbers.sorted { ($0.key, $0.place) < ($1.key, $1.place) }
      for count in [-1, 0, 1, 20, 100, 5_000, .max] {
        let first = numbers.first(count) { $0.key < $1.key }
        #expect(first.map(\.place) == sorted.prefix(max(0, count)).map(\.place), "seed \(seed)")
      }
    }
  }
}
