import FieldCore
import Testing

@Suite("A page of results")
struct ArrayPageTests {
  @Test(
    "is the result of offset and limit",
    arguments: [
      (0, nil, [1, 2, 3, 4]), (1, nil, [2, 3, 4]), (9, nil, []), (-1, nil, [1, 2, 3, 4]),
      (0, 2, [1, 2]), (3, 2, [4]), (0, 9, [1, 2, 3, 4]), (0, 0, []), (0, -1, []),
      (.max, .max, []),
    ] as [(Int, Int?, [Int])])
  func page(offset: Int, limit: Int?, left: [Int]) {
    #expect([1, 2, 3, 4].page(offset: offset, limit: limit) == left)
  }
}
