public import FieldCore

/// How many positions lie in each cell of a grid over the globe.
public struct MeteoriteHeatMap: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The height and width of a cell in degrees.
  public let cellDegrees: Double
  /// The cells with something in them, from south to north and from west to east.
  public let cells: [Cell]

  /// Counts positions.
  ///
  /// - Throws: `FieldError` when `cellDegrees` is not more than 0 and at most 180.
  public init(cellDegrees: Double, of coordinates: some Sequence<Coordinate>) throws {
    let grid = try GeoGrid(cellSize: cellDegrees)
    self.cellDegrees = cellDegrees
    cells = grid.counts(of: coordinates).sorted { $0.key < $1.key }.compactMap { cell, count in
      grid.box(of: cell).map { Cell(box: $0, count: count) }
    }
  }

  /// How many positions have been counted.
  public var total: Int { cells.reduce(0) { $0 + $1.count } }

  /// The largest number of positions in a cell: what the strongest colour stands for.
  public var greatestCount: Int { cells.map(\.count).max() ?? 0 }

  /// A cell and how many positions lie in it.
  public struct Cell: Hashable, Sendable, Codable {
    /// The cell's edges.
    public let box: GeoBox
    /// How many positions lie in it.
    public let count: Int
  }

  /// The numbers of meteorites and cells.
  public var description: String { "\(total) meteorites in \(cells.count) cells" }
}

extension MeteoriteHeatMap.Cell: Identifiable {
  /// The edges of the cell, which differ for each cell of a map.
  public var id: GeoBox { box }
}
