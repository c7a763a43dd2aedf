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
  /// The first ones of further columns, by the name of the column.
  private(set) var others: [String: RowFailure]?

  private static let mostOthers = 8

  /// The number of such cells.
  package var count: Int { counts.values.reduce(0, +) }

  /// Adds the cells of a row.
  mutating func add(_ cells: [Cell], of row: borrowing SourceRow) {
    for cell in cells {
      let name = row.name(of: cell.column) + cell.path
      counts[name, default: 0] += 1
      guard counts[name] == 1, hasRoom else { continue }
      let text = String(cell.text.prefix(200))
      let failure = RowFailure(
        index: row.index, key: row.id(0), excerpt: text,
        reason: "\(name) isn't \(cell.expected): \"\(text)\"")
      if first == nil { first = failure } else { keep(failure, of: name) }
    }
  }

  /// Adds the cells of a later page.
  mutating func add(_ later: UnreadableCells, shiftedBy rows: Int) {
    for (name, failure) in later.others ?? [:] where counts[name] == nil && hasRoom {
      keep(failure.shifted(by: rows), of: name)
    }
    counts.merge(later.counts, uniquingKeysWith: +)
    first = first ?? later.first?.shifted(by: rows)
  }

  /// A Boolean value that indicates whether the first cell of a further column may be kept.
  private var hasRoom: Bool { (others?.count ?? 0) < Self.mostOthers }

  private mutating func keep(_ failure: RowFailure, of column: String) {
    others = others ?? [:]
    others?[column] = failure
  }
}
