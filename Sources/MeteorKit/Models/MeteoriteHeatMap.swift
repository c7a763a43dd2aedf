public import FieldCore

/// The number of positions in each cell of a grid over the globe.
public struct MeteoriteHeatMap: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The height and width of a cell, in degrees.
  public let cellDegrees: Double
  /// The nonempty cells, from south to north and from west to east.
  public let cells: [Cell]

  /// Creates a heat map by counting positions.
  ///
  /// - Throws: `FieldError` unless `cellDegrees` is greater than 0 and at most 180.
  public init(cellDegrees: Double, of coordinates: some Sequence<Coordinate>) throws {
    let grid = try GeoGrid(cellSize: cellDegrees)
    self.cellDegrees = cellDegrees
    cells = grid.counts(of: coordinates).sorted { $0.key < $1.key }.compactMap { cell, count in
      grid.box(of: cell).map { Cell(box: $0, count: count) }
    }
  }

  /// The number of positions that were counted.
  public var total: Int { cells.reduce(0) { $0 + $1.count } }

  /// The largest number of positions in a cell, which the strongest color represents.
  public var greatestCount: Int { cells.map(\.count).max() ?? 0 }

  /// A grid cell and the number of positions in it.
  public struct Cell: Hashable, Sendable, Codable, Identifiable {
    /// The cell's edges.
    public let box: GeoBox
    /// The number of positions in the cell.
    public let count: Int

    /// The edges of the cell, which are unique within a map.
    public var id: GeoBox { box }
  }

  /// A description with the numbers of meteorites and cells.
  public var description: String { "\(total) meteorites in \(cells.count) cells" }
}
