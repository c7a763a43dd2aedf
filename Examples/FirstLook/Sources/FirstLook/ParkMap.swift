import FieldCore

/// The trees on a map of characters: the nearest ones have numbers.
struct ParkMap: CustomStringConvertible {
  private var cells = Array(repeating: Array(repeating: Character(" "), count: 64), count: 17)

  init(_ trees: some Sequence<Tree>, around here: Coordinate, numbering nearest: [Tree]) {
    for tree in trees { mark(tree.coordinate, "·", here) }
    for (number, tree) in nearest.enumerated().reversed() {
      mark(tree.coordinate, Character(String(number + 1)), here)
    }
    mark(here, "◎", here)
  }

  private mutating func mark(_ place: Coordinate?, _ sign: Character, _ here: Coordinate) {
    guard let place else { return }
    let row = 8 - ((place.latitude - here.latitude) / 0.00028).rounded()
    let column = 32 + ((place.longitude - here.longitude) / 0.00011).rounded()
    guard (0..<17).contains(row), (0..<64).contains(column) else { return }
    cells[Int(row)][Int(column)] = sign
  }

  var description: String { cells.map { "  │ " + String($0) }.joined(separator: "\n") }
}
