/// An immutable snapshot of a catalog's records that you can query synchronously.
///
/// Taking a view costs nothing. Its indexes, which the record declares (see ``RecordIndex``), are built by the first
/// queries that need them, or read if an earlier process has stored them. Later views update them by what has changed.
public struct CatalogView<Record: CatalogRecord>: StoreView {
  @usableFromInline
  package let snapshot: Snapshot<Record>
  /// The damage that opening the store cut off, until a refresh or `open()` has reported it.
  public package(set) var damage: [OpeningReport.Cut] = []
  private let indexes: RecordIndexes<Record>
  private let declared: [RecordIndex<Record>]
  /// The ``KeptIndex`` of each declared field.
  private let fields: [(any Sendable)?]

  package init(of snapshot: Snapshot<Record>, after earlier: CatalogView? = nil) {
    self.init(of: snapshot, after: earlier, indexes: earlier?.declared ?? Record.indexes)
  }

  /// Creates a view with other indexes than the type declares; those of the earlier view must be the same.
  package init(
    of snapshot: Snapshot<Record>, after earlier: CatalogView?,
    indexes declared: [RecordIndex<Record>]
  ) {
    self.snapshot = snapshot
    self.declared = declared
    let content = IndexedSnapshot(snapshot)
    indexes = RecordIndexes(of: content, after: earlier?.indexes, declared: declared)
    fields = declared.indices.map { place in
      guard case .field(_, let keeping) = declared[place].kind else { return nil }
      return keeping(content, earlier?.fields[place], place)
    }
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
    records(indexes.slots(containing: text), limit: limit)
  }

  /// Returns the number of records whose text contains the given text, without reading them.
  ///
  /// ```swift
  /// print(try await bikes.view().count(matching: "臺北車站"))
  /// ```
  ///
  /// - Parameter text: The text to search for. An empty text matches nothing.
  public func count(matching text: String) -> Int { indexes.slots(containing: text).count }

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

  /// Compiled for the type of the record, as looking up fifty records takes ten times as long without.
  @inlinable
  func records(_ slots: [Int32], limit: Int = .max) -> [Record] {
    var found: [Record] = []
    found.reserveCapacity(min(slots.count, max(0, limit)))
    for slot in slots {
      guard found.count < limit else { break }
      if let record = snapshot.record(at: Int(slot)) { found.append(record) }
    }
    return found
  }

  /// Returns a declared index, or `nil` if there is none, or building it doesn't pay yet.
  @usableFromInline
  func index<Index: Sendable>(of path: AnyKeyPath, _ type: Index.Type) -> Index? {
    for (place, index) in declared.enumerated() {
      if case .field(let known, _) = index.kind, known as AnyKeyPath == path,
        let kept = fields[place] as? KeptIndex<Record, Index>
      {
        return kept.index(insteadOf: 1)
      }
    }
    return nil
  }
}

extension RecordIndexes where Record: CatalogRecord {
  /// Creates the indexes of the declared texts and place, or of the text and coordinate of each record.
  fileprivate convenience init(
    of content: IndexedSnapshot<Record>, after earlier: RecordIndexes?,
    declared: [RecordIndex<Record>]
  ) {
    var texts: [@Sendable (Record) -> String?] = []
    var coordinate: (@Sendable (Record) -> Coordinate?)?
    var hasTexts = false
    for index in declared {
      switch index.kind {
      case .text(let more):
        texts += more
        hasTexts = true
      case .place(let place): coordinate = coordinate ?? place
      case .field: break
      }
    }
    self.init(
      of: content, after: earlier, texts: hasTexts ? texts : [{ $0.searchText }],
      coordinate: coordinate ?? { $0.coordinate },
      declaration: "\(hasTexts ? texts.count : -1) \(coordinate != nil)")
  }

  private convenience init(
    of content: IndexedSnapshot<Record>, after earlier: RecordIndexes?,
    texts: [@Sendable (Record) -> String?],
    coordinate: @escaping @Sendable (Record) -> Coordinate?, declaration: String
  ) {
    self.init(
      of: content, after: earlier, texts: { record in texts.map { $0(record) } },
      textIndex: { snapshot in
        var builder = SubstringIndex.Builder()
        if texts.count == 1 {
          snapshot.scan(texts[0]) { if let text = $1 { builder.append(text, at: $0) } }
        } else {
          snapshot.scan({ record in texts.map { $0(record) } }) { builder.append($1, at: $0) }
        }
        return builder.finish(count: snapshot.slotLimit)
      },
      positions: { snapshot, body in
        snapshot.scan(coordinate) { slot, coordinate in
          if let coordinate { body(Int32(slot), coordinate) }
        }
      }, coordinate: coordinate, declaration: declaration,
      placePrice: content.snapshot.storesIndexes ? 0 : 4)
  }
}
