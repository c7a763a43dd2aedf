/// A grid of cells of equal degrees over the earth that counts locations, for a heat map or
/// clusters.
///
/// ```swift
/// let grid = try GeoGrid(cellSize: 5)
/// for (cell, count) in grid.counts(of: places) { draw(grid.box(of: cell), count) }
/// ```
///
/// Rows go north from -90° and columns east from -180°. A cell includes its southern and western
/// edges; the last row also includes 90°, and 180° counts as -180°. If the size doesn't divide 180
/// or 360, the last row or column is smaller. A pole is one location in column 0, whatever its
/// longitude.
public struct GeoGrid: Sendable, Hashable {
  /// The height and width of a cell, in degrees.
  public let cellSize: Double
  /// The number of rows.
  public let rows: Int
  /// The number of columns.
  public let columns: Int

  /// Creates a grid.
  ///
  /// - Parameter cellSize: The height and width of a cell, from 0.0001 (11 meters) through 180
  ///   degrees.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` for any other size.
  public init(cellSize: Double) throws {
    guard (0.0001...180).contains(cellSize) else {
      throw FieldError(
        .invalidInput, "The grid is invalid.",
        problems: ["the cell size \(cellSize) isn't between 0.0001 and 180 degrees"])
    }
    self.cellSize = cellSize
    rows = Int((180 / cellSize).rounded(.up))
    columns = Int((360 / cellSize).rounded(.up))
  }

  /// A cell of a grid, by its row from the south and its column eastward from the antimeridian.
  public struct Cell: Sendable, Hashable, Codable, Comparable {
    /// The row, counted from 0 in the south.
    public var row: Int
    /// The column, counted from 0 at -180°.
    public var column: Int

    /// Creates a cell.
    public init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }

    /// Returns a Boolean value that indicates whether one cell precedes another, by row and then by
    /// column.
    public static func < (left: Cell, right: Cell) -> Bool {
      (left.row, left.column) < (right.row, right.column)
    }
  }

  /// Returns the cell that contains a location.
  public func cell(of coordinate: Coordinate) -> Cell {
    let row = line(of: coordinate.latitude, from: -90, count: rows)
    guard abs(coordinate.latitude) < 90 else { return Cell(row: row, column: 0) }
    return Cell(
      row: row, column: line(of: coordinate.normalized.longitude, from: -180, count: columns))
  }

  /// Returns the box of a cell, or `nil` if the grid has no such cell.
  public func box(of cell: Cell) -> GeoBox? {
    guard (0..<rows).contains(cell.row), (0..<columns).contains(cell.column) else { return nil }
    return GeoBox(
      knownSouth: edge(cell.row, from: -90), west: edge(cell.column, from: -180),
      north: min(edge(cell.row + 1, from: -90), 90),
      east: min(edge(cell.column + 1, from: -180), 180))
  }

  /// Returns the number of locations in each cell, without empty cells.
  public func counts(of coordinates: some Sequence<Coordinate>) -> [Cell: Int] {
    var counts: [Cell: Int] = [:]
    for coordinate in coordinates { counts[cell(of: coordinate), default: 0] += 1 }
    return counts
  }

  private func edge(_ line: Int, from start: Double) -> Double { start + Double(line) * cellSize }

  /// Returns the row or column of a value, such that the value lies within the edges that
  /// `box(of:)` returns, however the division rounds.
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

extension GeoGrid: Codable {
  private enum CodingKeys: String, CodingKey { case cellSize }

  /// Creates a grid from the encoded size of its cells, which must be valid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(cellSize: try container.decode(Double.self, forKey: .cellSize))
  }

  /// Encodes the size of the cells, from which the rest follows.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(cellSize, forKey: .cellSize)
  }
}
