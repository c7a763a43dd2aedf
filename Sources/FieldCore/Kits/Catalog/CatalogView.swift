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

// MARK: - Finding

extension CatalogView {
  // MARK: Ranges and orders

  /// Returns records by one of their values, in its order.
  ///
  /// In both orders, records with equal values are in the order in which they were first inserted. NaN lies in no range,
  /// and without a range, records with NaN are last.
  ///
  /// ```swift
  /// let view = try await trees.view()
  /// view.find(\.height, in: 10...20, order: .descending, limit: 20)
  /// ```
  ///
  /// With ``RecordIndex/order(_:)-1rm7x``, it takes O(log n) and the result, and without it O(n).
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - range: The range of values. Defaults to all records.
  ///   - order: The order. Defaults to the smallest value first.
  ///   - limit: The maximum number of records to return.
  @inlinable
  public func find<Value: Comparable & Hashable & Sendable>(
    _ value: KeyPath<Record, Value>, in range: (any ValueRangeConvertible<Value>)? = nil,
    order: ValueOrder = .ascending, limit: Int = .max
  ) -> [Record] {
    find(value, range?.valueRange, order, limit) { $0[keyPath: value] }
  }

  /// Returns records by one of their optional values, in its order.
  ///
  /// In both orders, records with equal values are in the order in which they were first inserted. Records without a
  /// value lie in no range. Without a range, they come after all others in both orders, and NaN counts as no value.
  ///
  /// ```swift
  /// let view = try await trees.view()
  /// view.find(\.height, order: .descending, limit: 50)
  /// ```
  ///
  /// With ``RecordIndex/order(_:)-7twbt``, it takes O(log n) and the result, and without it O(n).
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - range: The range of values. Defaults to all records.
  ///   - order: The order. Defaults to the smallest value first.
  ///   - limit: The maximum number of records to return.
  @inlinable
  public func find<Value: Comparable & Hashable & Sendable>(
    _ value: KeyPath<Record, Value?>, in range: (any ValueRangeConvertible<Value>)? = nil,
    order: ValueOrder = .ascending, limit: Int = .max
  ) -> [Record] {
    find(value, range?.valueRange, order, limit) { $0[keyPath: value] }
  }

  /// Returns the number of records with a value in a range.
  ///
  /// NaN lies in no range. With ``RecordIndex/order(_:)-1rm7x``, it takes O(log n), and without it
  /// O(n).
  ///
  /// ```swift
  /// try await trees.view().count(\.planted, in: 1950..<2000)
  /// ```
  @inlinable
  public func count<Value: Comparable & Hashable & Sendable>(
    _ value: KeyPath<Record, Value>, in range: any ValueRangeConvertible<Value>
  ) -> Int {
    count(value, range.valueRange) { $0[keyPath: value] }
  }

  /// Returns the number of records with an optional value in a range, which contains no `nil`.
  ///
  /// NaN lies in no range. With ``RecordIndex/order(_:)-7twbt``, it takes O(log n), and without it
  /// O(n).
  ///
  /// ```swift
  /// try await trees.view().count(\.height, in: 30...)
  /// ```
  @inlinable
  public func count<Value: Comparable & Hashable & Sendable>(
    _ value: KeyPath<Record, Value?>, in range: any ValueRangeConvertible<Value>
  ) -> Int {
    count(value, range.valueRange) { $0[keyPath: value] }
  }

  // MARK: Equal values

  /// Returns the records with a value, in the order in which they were first inserted.
  ///
  /// Pass `nil` to find the records without a value. NaN equals nothing.
  ///
  /// ```swift
  /// try await trees.view().find(\.species, equals: "Ginkgo biloba")
  /// ```
  ///
  /// With ``RecordIndex/value(_:)``, it takes the time of the result, and without it O(n).
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - wanted: What it must equal.
  ///   - limit: The maximum number of records to return.
  @inlinable
  public func find<Value: Hashable & Sendable>(
    _ value: KeyPath<Record, Value>, equals wanted: Value, limit: Int = .max
  ) -> [Record] {
    if let index = index(of: value, GroupIndex<Value>.self) {
      return records(index.slots(of: wanted, limit: limit))
    }
    return records(slots(limit: limit) { $0[keyPath: value] == wanted })
  }

  /// Returns the number of records with a value.
  ///
  /// Pass `nil` to count the records without a value. NaN equals nothing.
  ///
  /// ```swift
  /// try await trees.view().count(\.species, equals: "Ginkgo biloba")
  /// ```
  ///
  /// With ``RecordIndex/value(_:)``, it takes a few microseconds at most, and without it O(n).
  @inlinable
  public func count<Value: Hashable & Sendable>(
    _ value: KeyPath<Record, Value>, equals wanted: Value
  ) -> Int {
    if let index = index(of: value, GroupIndex<Value>.self) { return index.count(of: wanted) }
    return slots(limit: .max) { $0[keyPath: value] == wanted }.count
  }

  // MARK: Conditions

  /// Returns the records that satisfy a condition, in the order of a value.
  ///
  /// It tests all records, in O(n). If the record declares ``RecordIndex/order(_:)-1rm7x`` for the
  /// value, it may test them in that order, up to the limit.
  ///
  /// In both orders, records with equal values are in the order in which they were first inserted, and NaN is last.
  ///
  /// ```swift
  /// try await trees.view().find(where: { $0.height ?? 0 > 10 }, order: \.planted, limit: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - isIncluded: The condition. Defaults to all records.
  ///   - value: The value to order by.
  ///   - direction: The order of the value. Defaults to the smallest value first.
  ///   - limit: The maximum number of records to return.
  @inlinable
  public func find<Value: Comparable & Hashable & Sendable>(
    where isIncluded: (Record) -> Bool = { _ in true }, order value: KeyPath<Record, Value>,
    _ direction: ValueOrder = .ascending, limit: Int = .max
  ) -> [Record] {
    find(where: isIncluded, value, direction, limit) { $0[keyPath: value] }
  }

  /// Returns the records that satisfy a condition, in the order of an optional value.
  ///
  /// It tests all records, in O(n). If the record declares ``RecordIndex/order(_:)-7twbt`` for the
  /// value, it may test them in that order, up to the limit.
  ///
  /// In both orders, records with equal values are in the order in which they were first inserted, and records without
  /// a value come after all others. NaN counts as no value.
  ///
  /// ```swift
  /// try await trees.view().find(where: { $0.height ?? 0 > 10 }, order: \.species)
  /// ```
  ///
  /// - Parameters:
  ///   - isIncluded: The condition. Defaults to all records.
  ///   - value: The value to order by.
  ///   - direction: The order of the value. Defaults to the smallest value first.
  ///   - limit: The maximum number of records to return.
  @inlinable
  public func find<Value: Comparable & Hashable & Sendable>(
    where isIncluded: (Record) -> Bool = { _ in true }, order value: KeyPath<Record, Value?>,
    _ direction: ValueOrder = .ascending, limit: Int = .max
  ) -> [Record] {
    find(where: isIncluded, value, direction, limit) { $0[keyPath: value] }
  }

  // MARK: With and without an index

  @inlinable
  func find<Value: Comparable & Hashable & Sendable>(
    _ path: AnyKeyPath, _ range: ValueRange<Value>?, _ order: ValueOrder, _ limit: Int,
    by value: (Record) -> Value?
  ) -> [Record] {
    if let index = index(of: path, OrderIndex<Value>.self) {
      return records(index.slots(in: range, order, limit: limit))
    }
    guard let range else { return records(scan(order, limit, by: value) { _, _ in true }) }
    return records(
      scan(order, limit, by: value) { _, value in value.map(range.containsInOrder) ?? false })
  }

  @inlinable
  func find<Value: Comparable & Hashable & Sendable>(
    where isIncluded: (Record) -> Bool, _ path: AnyKeyPath, _ order: ValueOrder, _ limit: Int,
    by value: (Record) -> Value?
  ) -> [Record] {
    // Testing most of the records out of order decodes them out of order, and keeps them.
    if limit < snapshot.count / 8, let index = index(of: path, OrderIndex<Value>.self) {
      return records(
        index.slots(in: nil, order, limit: limit) { slot in
          snapshot.record(at: Int(slot)).map(isIncluded) ?? false
        })
    }
    return records(scan(order, limit, by: value) { record, _ in isIncluded(record) })
  }

  @inlinable
  func count<Value: Comparable & Hashable & Sendable>(
    _ path: AnyKeyPath, _ range: ValueRange<Value>, by value: (Record) -> Value?
  ) -> Int {
    if let index = index(of: path, OrderIndex<Value>.self) { return index.count(in: range) }
    return slots(limit: .max) { value($0).map(range.containsInOrder) ?? false }.count
  }

  /// Returns the slots of the first records that a closure accepts, in the order of a value, from all records.
  @inlinable
  func scan<Value: Comparable>(
    _ order: ValueOrder, _ limit: Int, by value: (Record) -> Value?,
    where isIncluded: (Record, Value?) -> Bool
  ) -> [Int32] {
    typealias Entry = (value: Value, slot: Int32)
    func precedes(_ left: Entry, _ right: Entry) -> Bool {
      if left.value == right.value { return left.slot < right.slot }
      return order == .ascending ? left.value < right.value : left.value > right.value
    }
    guard limit > 0 else { return [] }
    var first = FirstElements<Entry>(limit)
    var others: [Int32] = []
    func take(_ record: Record) -> (value: Value?, isIncluded: Bool) {
      let value = value(record)
      return (value, isIncluded(record, value))
    }
    snapshot.scan(take) { slot, taken in
      guard taken.isIncluded else { return }
      if let value = taken.value, value == value {
        first.insert((value, Int32(truncatingIfNeeded: slot)), by: precedes)
      } else if others.count < limit {
        others.append(Int32(truncatingIfNeeded: slot))
      }
    }
    let slots = first.sorted(by: precedes).map { $0.slot } + others
    return slots.count > limit ? Array(slots[..<limit]) : slots
  }

  /// Returns the slots of the first records that satisfy a condition, from all records.
  @inlinable
  func slots(limit: Int, where isIncluded: (Record) -> Bool) -> [Int32] {
    guard limit > 0 else { return [] }
    var found: [Int32] = []
    func take(_ slot: Int, _ record: Record) -> Bool {
      if isIncluded(record) { found.append(Int32(truncatingIfNeeded: slot)) }
      return found.count < limit
    }
    snapshot.scan(take) { slot, reader in take(slot, try Record(reading: &reader)) }
    return found
  }
}
