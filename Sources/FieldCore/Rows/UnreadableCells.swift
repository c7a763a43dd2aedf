/// The cells that contain a value which their row's reader asked for and couldn't read, so that the
/// record has `nil` instead.
package struct UnreadableCells: Sendable, Hashable, Codable {
  /// A cell that couldn't be read.
  struct Cell: Sendable, Hashable {
    var column: Int
    /// The way to the value in an array or an object in the cell, such as `.street`.
    var path = ""
    /// What was expected, such as `a number`.
    var expected: String
    var text: String
  }

  /// The numbers of such cells by the name of their column.
  private(set) var counts: [String: Int] = [:]
  /// The first of them.
  private(set) var first: RowFailure?

  /// The number of such cells.
  package var count: Int { counts.values.reduce(0, +) }

  /// Adds the cells of a row.
  mutating func add(_ cells: [Cell], of row: borrowing SourceRow) {
    for cell in cells {
      let name = row.name(of: cell.column) + cell.path
      counts[name, default: 0] += 1
      guard first == nil else { continue }
      let text = String(cell.text.prefix(200))
      first = RowFailure(
        index: row.index, key: row.id(0), excerpt: text,
        reason: "\(name) isn't \(cell.expected): \"\(text)\"")
    }
  }

  /// Adds the cells of a later page.
  mutating func add(_ later: UnreadableCells, shiftedBy rows: Int) {
    counts.merge(later.counts, uniquingKeysWith: +)
    guard first == nil, var failure = later.first else { return }
    failure.index += rows
    first = failure
  }
}
