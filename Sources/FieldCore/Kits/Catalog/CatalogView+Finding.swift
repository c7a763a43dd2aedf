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
