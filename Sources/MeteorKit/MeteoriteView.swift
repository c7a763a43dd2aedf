public import FieldCore

/// The meteorites at one moment, to be asked without waiting: for hot loops and for SwiftUI.
///
/// A view never changes. It costs nothing to take; its indexes are built at the first question that
/// needs them and carried over to later views.
public struct MeteoriteView: Sendable, StoreView {
  package let snapshot: Snapshot<Meteorite>
  /// What opening the store cut off, until a refresh or `open()` has reported it.
  public package(set) var damage: [OpeningReport.Cut] = []
  private let indexes: RecordIndexes<Meteorite>
  private let numbers: DerivedIndex<Meteorite, NumberTable>
  /// The numbers while they are right for the whole snapshot, else none.
  @usableFromInline
  let table: NumberTable

  package init(of snapshot: Snapshot<Meteorite>, after earlier: MeteoriteView? = nil) {
    self.snapshot = snapshot
    indexes = RecordIndexes(
      of: snapshot, after: earlier?.indexes, text: \.name, coordinate: \.coordinate,
      precedes: { $0.id < $1.id })
    numbers = DerivedIndex(of: snapshot, reusing: earlier?.numbers, build: NumberTable.init)
    table = numbers.isUnchanged ? numbers.base : NumberTable()
  }

  /// The state of the store that the view shows.
  public var revision: Revision { snapshot.revision }

  /// How far the store had come with its source.
  public var checkpoint: Checkpoint? { snapshot.checkpoint }

  /// All meteorites, in the order of their source.
  public var all: Snapshot<Meteorite> { snapshot }

  /// How many meteorites there are.
  public var count: Int { snapshot.count }

  /// The meteorite of this id, or nil.
  @inlinable
  public subscript(id: Meteorite.ID) -> Meteorite? {
    if case .number(let number) = id.storage, let meteorite = table[number] { return meteorite }
    return hashed(id)
  }

  /// The meteorite of this id by the store's own index, which knows all of them.
  @usableFromInline
  func hashed(_ id: Meteorite.ID) -> Meteorite? { snapshot[id: id] }

  // MARK: Queries

  /// The meteorites that a query finds.
  public func find(_ query: MeteoriteQuery = MeteoriteQuery()) -> [Meteorite] {
    var found: [Meteorite] = []
    forEach(matching: query) { found.append($0) }
    query.order.sort(&found)
    return found.page(offset: query.offset, limit: query.limit)
  }

  /// How many meteorites a query finds, its limit and offset left aside.
  public func count(_ query: MeteoriteQuery = MeteoriteQuery()) -> Int {
    var count = 0
    forEach(matching: query) { _ in count += 1 }
    return count
  }

  /// Figures about the meteorites that a query finds, its order, limit and offset left aside.
  public func statistics(of query: MeteoriteQuery = MeteoriteQuery()) -> MeteoriteStatistics {
    var statistics = MeteoriteStatistics()
    forEach(matching: query) { statistics.count($0) }
    return statistics
  }

  /// Calls `body` with each meteorite that the query finds, in the order of the source.
  func forEach(matching query: MeteoriteQuery, _ body: (Meteorite) -> Void) {
    let filter = MeteoriteFilter(query)
    if let text = query.text.map(MeteoriteFilter.fold), !text.isEmpty {
      let index = indexes.text
      let slots = index.base.matches(text)
      index.forEach(slots, in: snapshot, changed: filter.admitsText) { meteorite in
        if filter.admits(meteorite), filter.admitsPlace(meteorite) { body(meteorite) }
      }
    } else if let circle = query.circle {
      let index = indexes.place
      let slots = index.base.keys(within: circle.radius, of: circle.center).sorted()
      index.forEach(slots, in: snapshot, changed: filter.admitsPlace) { meteorite in
        if filter.admits(meteorite), filter.admitsBox(meteorite) { body(meteorite) }
      }
    } else if let box = query.box {
      let index = indexes.place
      let slots = index.base.keys(in: box).sorted()
      index.forEach(slots, in: snapshot, changed: filter.admitsPlace) { meteorite in
        if filter.admits(meteorite) { body(meteorite) }
      }
    } else {
      for meteorite in snapshot where filter.admits(meteorite) { body(meteorite) }
    }
  }

  // MARK: Places

  /// The nearest meteorites, nearest first, ties by id.
  ///
  /// - Parameters:
  ///   - place: Where to search from.
  ///   - count: How many at the most.
  ///   - plausibleOnly: Whether positions that cannot be true are left out, as by default.
  ///   - query: Conditions that the meteorites must meet; its order, limit and offset are left aside.
  public func nearest(
    to place: Coordinate, count: Int, plausibleOnly: Bool = true,
    matching query: MeteoriteQuery = MeteoriteQuery()
  ) -> [NearbyMeteorite] {
    let filter = MeteoriteFilter(query)
    func admits(_ meteorite: Meteorite) -> Bool {
      (!plausibleOnly || meteorite.hasPlausiblePosition) && filter.admits(meteorite)
        && filter.admitsPlace(meteorite) && filter.admitsText(meteorite)
    }
    return indexes.nearest(to: place, count: count, where: admits).map {
      NearbyMeteorite($0.record, distance: $0.distance)
    }
  }

  /// How many meteorites lie in each cell of a grid; implausible positions are left out.
  ///
  /// - Parameters:
  ///   - cellDegrees: The height and width of a cell, more than 0 and at most 180 degrees.
  ///   - query: Which meteorites are counted.
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
