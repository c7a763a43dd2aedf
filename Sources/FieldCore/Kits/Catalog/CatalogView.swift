/// An immutable snapshot of a catalog's records that you can query synchronously.
///
/// Taking a view costs nothing. Its indexes are built by the first query that needs them, and
/// shared with later views.
public struct CatalogView<Record: CatalogRecord>: StoreView {
  package let snapshot: Snapshot<Record>
  /// The damage that opening the store cut off, until a refresh or `open()` has reported it.
  public package(set) var damage: [OpeningReport.Cut] = []
  private let indexes: RecordIndexes<Record>

  package init(of snapshot: Snapshot<Record>, after earlier: CatalogView? = nil) {
    self.snapshot = snapshot
    indexes = RecordIndexes(
      of: snapshot, after: earlier?.indexes,
      texts: { snapshot in
        var builder = SubstringIndex.Builder()
        snapshot.scan(\.searchText) { builder.append($1, at: $0) }
        return builder.finish(count: snapshot.slotLimit)
      },
      positions: { snapshot, body in
        snapshot.scan(\.coordinate) { slot, coordinate in
          if let coordinate { body(Int32(slot), coordinate) }
        }
      }, coordinate: \.coordinate)
  }

  /// The revision of the store that the view shows.
  public var revision: Revision { snapshot.revision }

  /// The store's position in its source.
  public var checkpoint: Checkpoint? { snapshot.checkpoint }

  /// All records, in the order in which they were first inserted.
  public var all: Snapshot<Record> { snapshot }

  /// The number of records.
  public var count: Int { snapshot.count }

  /// Returns the record with an ID, or `nil` if there is none.
  public subscript(id: Record.ID) -> Record? { snapshot[id: id] }

  /// Returns the records that satisfy a condition.
  ///
  /// ```swift
  /// let view = try await bikes.view()
  /// print(view.find(where: { $0.bikes > 0 }, sortedBy: { $0.bikes > $1.bikes }, limit: 10))
  /// ```
  ///
  /// - Parameters:
  ///   - isIncluded: The condition. Defaults to all records.
  ///   - areInIncreasingOrder: The order. Defaults to the order in which the records were first
  ///     inserted.
  ///   - limit: The maximum number of records to return.
  public func find(
    where isIncluded: (Record) -> Bool = { _ in true },
    sortedBy areInIncreasingOrder: ((Record, Record) -> Bool)? = nil, limit: Int = .max
  ) -> [Record] {
    var found: [Record] = []
    for record in snapshot {
      if areInIncreasingOrder == nil && found.count >= limit { break }
      if isIncluded(record) { found.append(record) }
    }
    return areInIncreasingOrder.map { found.first(limit, sortedBy: $0) } ?? found
  }

  /// Returns the records whose text contains the given text, in the order in which they were first
  /// inserted.
  ///
  /// The search ignores case, diacritics, width, and variants such as 臺 and 台.
  ///
  /// ```swift
  /// print(try await bikes.view().search("臺北車站", limit: 20))
  /// ```
  ///
  /// - Parameters:
  ///   - text: The text to search for. An empty text matches nothing.
  ///   - limit: The maximum number of records to return.
  public func search(_ text: String, limit: Int = .max) -> [Record] {
    let folded = TextFolding.fold(text)
    guard !folded.isEmpty else { return [] }
    let index = indexes.text
    let slots = index.slots(index.base.matches(text), in: snapshot) {
      TextFolding.contains(folded, in: $0.searchText)
    }
    return records(slots, limit: limit)
  }

  /// Returns the records closest to a location, nearest first.
  ///
  /// ```swift
  /// for near in try await bikes.view().nearest(to: here, count: 5, where: { $0.bikes > 0 }) {
  ///   print(near.record, near.distance)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - place: The location to search from.
  ///   - count: The maximum number of records to return.
  ///   - isIncluded: The condition to satisfy. Defaults to all records.
  public func nearest(
    to place: Coordinate, count: Int, where isIncluded: (Record) -> Bool = { _ in true }
  ) -> [NearbyRecord<Record>] {
    indexes.nearest(to: place, count: count, where: isIncluded).map {
      NearbyRecord($0.record, distance: $0.distance)
    }
  }

  /// Returns the records in a box, in the order in which they were first inserted.
  public func records(in box: GeoBox) -> [Record] { records(indexes.slots(in: box)) }

  /// Returns the records within a distance of a location, in the order in which they were first
  /// inserted.
  ///
  /// ```swift
  /// print(try await bikes.view().records(within: .meters(500), of: here).count)
  /// ```
  public func records(within radius: Distance, of center: Coordinate) -> [Record] {
    records(indexes.slots(within: radius, of: center))
  }

  private func records(_ slots: [Int32], limit: Int = .max) -> [Record] {
    Array(slots.lazy.compactMap { snapshot.record(at: Int($0)) }.prefix(max(0, limit)))
  }
}
