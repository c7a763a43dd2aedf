/// A grid of cells of equal degrees over the earth, to count places in, for a heat map or clusters.
///
/// ```swift
/// let grid = try GeoGrid(cellSize: 5)
/// for (cell, count) in grid.counts(of: places) { draw(grid.box(of: cell), count) }
/// ```
///
/// Rows go north from -90° and columns east from -180°. A cell has its southern and western edge;
/// the last row has 90° too, and 180° is -180°. When the size does not divide 180 or 360, the last
/// row or column is smaller. All longitudes of a pole are one place, in column 0.
public struct GeoGrid: Sendable, Hashable {
  /// The height and width of a cell, in degrees.
  public let cellSize: Double
  /// How many rows of cells there are.
  public let rows: Int
  /// How many columns of cells there are.
  public let columns: Int

  /// Makes a grid.
  ///
  /// - Parameter cellSize: the height and width of a cell, 0.0001 (11 metres) to 180 degrees.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` for another size.
  public init(cellSize: Double) throws {
    guard (0.0001...180).contains(cellSize) else {
      throw FieldError(
        .invalidInput, "this is no grid",
        problems: ["the cell size \(cellSize) is not between 0.0001 and 180 degrees"])
    }
    self.cellSize = cellSize
    rows = Int((180 / cellSize).rounded(.up))
    columns = Int((360 / cellSize).rounded(.up))
  }

  /// A cell of a grid, by row from the south and column from the antimeridian eastward.
  public struct Cell: Sendable, Hashable, Codable, Comparable {
    /// The row, from 0 in the south.
    public var row: Int
    /// The column, from 0 at -180°.
    public var column: Int

    /// Makes a cell.
    public init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }

    /// Whether the left cell comes first, by row and then by column.
    public static func < (left: Cell, right: Cell) -> Bool {
      (left.row, left.column) < (right.row, right.column)
    }
  }

  /// The cell that a place is in.
  public func cell(of coordinate: Coordinate) -> Cell {
    let row = line(of: coordinate.latitude, from: -90, count: rows)
    guard abs(coordinate.latitude) < 90 else { return Cell(row: row, column: 0) }
    return Cell(
      row: row, column: line(of: coordinate.normalized.longitude, from: -180, count: columns))
  }

  /// The box of a cell, or nil when the grid has no such cell.
  public func box(of cell: Cell) -> GeoBox? {
    guard (0..<rows).contains(cell.row), (0..<columns).contains(cell.column) else { return nil }
    return GeoBox(
      knownSouth: edge(cell.row, from: -90), west: edge(cell.column, from: -180),
      north: min(edge(cell.row + 1, from: -90), 90),
      east: min(edge(cell.column + 1, from: -180), 180))
  }

  /// How many of the places are in each cell; cells without any are not there.
  public func counts(of coordinates: some Sequence<Coordinate>) -> [Cell: Int] {
    var counts: [Cell: Int] = [:]
    for coordinate in coordinates { counts[cell(of: coordinate), default: 0] += 1 }
    return counts
  }

  private func edge(_ line: Int, from start: Double) -> Double { start + Double(line) * cellSize }

  /// The line of cells for a value, such that it lies between that line's edges as `box(of:)` gives
  /// them, however the division rounds.
  private func line(of value: Double, from start: Double, count: Int) -> Int {
    var line = min(Int((value - start) / cellSize), count - 1)
    if line > 0 && value < edge(line, from: start) {
      line -= 1
    } else if line < count - 1 && value >= edge(line + 1, from: start) {
      line += 1
    }
    return line
  }
}
