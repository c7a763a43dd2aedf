public import FieldCore

/// An immutable snapshot of the meteorites that you can query synchronously, as in hot loops or
/// SwiftUI.
///
/// Taking a view costs nothing. Its indexes are made when the queries that need them have cost as much without, or read
/// if an earlier process has stored them beside the file. Later views update them by what has changed.
public struct MeteoriteView: Sendable, StoreView {
  package let snapshot: Snapshot<Meteorite>
  /// The damaged parts that opening cut off, until a refresh or `open()` has reported them.
  public package(set) var damage: [OpeningReport.Cut] = []
  let indexes: RecordIndexes<Meteorite>
  let orders: MeteoriteOrders
  @usableFromInline
  let numbers: KeptIndex<Meteorite, NumberTable>

  package init(of snapshot: Snapshot<Meteorite>, after earlier: MeteoriteView? = nil) {
    self.snapshot = snapshot
    let content = IndexedSnapshot(snapshot)
    indexes = RecordIndexes(
      of: content, after: earlier?.indexes, texts: { [$0.name] },
      textIndex: SubstringIndex.init(namesOf:), positions: { $0.forEachPosition($1) },
      placeIndex: SpatialIndex.init(of:),
      coordinate: \.coordinate, precedes: { $0 < $1 })
    orders = MeteoriteOrders(of: content, after: earlier?.orders)
    // Finding a meteorite without the table costs a sixteenth of adding one to it.
    numbers = KeptIndex(
      of: content, after: earlier?.numbers, price: snapshot.count / 16, build: NumberTable.init
    ) {
      $0.updated(by: $1) ?? NumberTable(of: $1.after)
    }
  }

  /// The revision of the store that the view shows.
  public var revision: Revision { snapshot.revision }

  /// The store's checkpoint, which records how far it had come with its source.
  public var checkpoint: Checkpoint? { snapshot.checkpoint }

  /// All meteorites, in the order of their source.
  public var all: Snapshot<Meteorite> { snapshot }

  /// The number of meteorites.
  public var count: Int { snapshot.count }

  /// The meteorite with the given ID, or `nil` if there is none.
  @inlinable
  public subscript(id: Meteorite.ID) -> Meteorite? {
    if case .number(let number) = id.storage, let meteorite = numbered(number) { return meteorite }
    return hashed(id)
  }

  /// Returns the meteorite with the given number, or `nil` if there is none, or no table that contains it.
  @inlinable
  func numbered(_ number: UInt64) -> Meteorite? {
    defer { extendLifetime(numbers) }
    guard let table = unsafe numbers.place.pointer else { return nil }
    return unsafe table.pointee[number]
  }

  /// Returns the meteorite with the given ID, using the store's own index, which contains all of
  /// them.
  @usableFromInline
  func hashed(_ id: Meteorite.ID) -> Meteorite? {
    _ = numbers.index(insteadOf: 1)
    return snapshot[id: id]
  }

  // MARK: Places

  /// Returns the meteorites closest to a location, nearest first.
  ///
  /// Meteorites at the same distance are ordered by ID.
  ///
  /// ```swift
  /// let view = try await catalog.view()
  /// for near in view.nearest(to: here, count: 10) { show(near.meteorite.name, near.distance) }
  /// ```
  ///
  /// - Parameters:
  ///   - place: The location to search from.
  ///   - count: The maximum number of meteorites to return.
  ///   - plausibleOnly: Pass `false` to include implausible positions. Defaults to `true`.
  ///   - query: The conditions to match. Its order, limit, and offset are ignored.
  public func nearest(
    to place: Coordinate, count: Int, plausibleOnly: Bool = true,
    matching query: MeteoriteQuery = MeteoriteQuery()
  ) -> [NearbyMeteorite] {
    let filter = MeteoriteFilter(query)
    func admits(_ meteorite: Meteorite) -> Bool {
      (!plausibleOnly || meteorite.hasPlausiblePosition) && filter.admitsFully(meteorite)
    }
    return indexes.nearest(to: place, count: count, where: admits).map {
      NearbyMeteorite($0.record, distance: $0.distance)
    }
  }

  /// Returns the number of meteorites in each cell of a grid, skipping implausible positions.
  ///
  /// ```swift
  /// let map = try await catalog.view().heatMap(cellDegrees: 10)
  /// if let busiest = map.cells.max(by: { $0.count < $1.count }) { show(busiest) }
  /// ```
  ///
  /// - Parameters:
  ///   - cellDegrees: The height and width of a cell, in degrees, greater than 0 and at most 180.
  ///   - query: The conditions to match.
  public func heatMap(
    cellDegrees: Double, of query: MeteoriteQuery = MeteoriteQuery()
  ) throws -> MeteoriteHeatMap {
    var coordinates: [Coordinate] = []
    forEach(matching: query) { meteorite in
      if meteorite.hasPlausiblePosition, let coordinate = meteorite.coordinate {
        coordinates.append(coordinate)
      }
    }
    return try MeteoriteHeatMap(cellDegrees: cellDegrees, of: coordinates)
  }
}

/// A meteorite and its distance from the location of a search.
public typealias NearbyMeteorite = NearbyRecord<Meteorite>

extension NearbyMeteorite {
  /// The meteorite.
  public var meteorite: Meteorite { record }
}
