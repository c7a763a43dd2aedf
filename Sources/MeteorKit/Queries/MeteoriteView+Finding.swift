internal import FieldCore

extension MeteoriteView {
  /// Returns the meteorites that match a query.
  ///
  /// ```swift
  /// let heavy = MeteoriteQuery(massInGrams: 1_000_000..., order: .massDescending, limit: 10)
  /// for meteorite in try await catalog.view().find(heavy) { print(meteorite.name) }
  /// ```
  public func find(_ query: MeteoriteQuery = MeteoriteQuery()) -> [Meteorite] {
    let filter = MeteoriteFilter(query)
    let narrowed = narrowed(query, filter)
    if let found = find(query, filter, narrowed) { return found }
    let inRange = narrowed == nil ? slotsInRange(query) : nil
    // Most of a large result has to be decoded anyway.
    if narrowed == nil, inRange == nil, query.end < snapshot.count / 8,
      let slots = query.order.first(query.end, of: snapshot, filter)
    {
      return slots.compactMap { snapshot.record(at: Int($0)) }
        .page(offset: query.offset, limit: query.limit)
    }
    var found: [Meteorite] = []
    forEach(filter, narrowed, inRange, upTo: query.order == .source ? query.end : .max) {
      found.append($0())
    }
    return query.order.sorted(found, upTo: query.end)
      .page(offset: query.offset, limit: query.limit)
  }

  /// Returns the number of meteorites that match a query, ignoring its limit and offset.
  ///
  /// ```swift
  /// print(try await catalog.view().count(MeteoriteQuery(fall: .fell)), "were seen falling")
  /// ```
  public func count(_ query: MeteoriteQuery = MeteoriteQuery()) -> Int {
    let filter = MeteoriteFilter(query)
    if filter.admitsAll {
      guard let narrowed = narrowed(query, filter) else { return snapshot.count }
      if narrowed.isExact { return narrowed.slots.count }
    }
    var count = 0
    forEach(query, filter) { _ in count += 1 }
    return count
  }

  /// Returns statistics about the meteorites that match a query, ignoring its order, limit, and
  /// offset.
  ///
  /// ```swift
  /// let statistics = try await catalog.view().statistics()
  /// print(statistics.total.count, "meteorites,", statistics.total.massInGrams / 1_000_000, "t")
  /// ```
  public func statistics(of query: MeteoriteQuery = MeteoriteQuery()) -> MeteoriteStatistics {
    var statistics = MeteoriteStatistics()
    forEach(matching: query) { statistics.count($0) }
    return statistics
  }

  /// Calls `body` with the meteorites that match the query, in the order of the source.
  func forEach(matching query: MeteoriteQuery, _ body: (Meteorite) -> Void) {
    forEach(query, MeteoriteFilter(query)) { body($0()) }
  }

  private func forEach(
    _ query: MeteoriteQuery, _ filter: MeteoriteFilter, _ body: (() -> Meteorite) -> Void
  ) {
    let narrowed = narrowed(query, filter)
    forEach(
      filter, narrowed, narrowed == nil ? slotsInRange(query) : nil, upTo: .max, body)
  }

  /// Calls `body` with closures that return the matching meteorites, in the order of the source.
  private func forEach(
    _ filter: MeteoriteFilter, _ narrowed: Narrowed?, _ inRange: [Int32]?, upTo limit: Int,
    _ body: (() -> Meteorite) -> Void
  ) {
    var left = limit
    let fewInRange = inRange.flatMap { $0.count < snapshot.count / 4 ? $0.sorted() : nil }
    if let slots = narrowed?.slots ?? fewInRange {
      let admits = narrowed?.admits ?? filter.admits
      for slot in slots where left > 0 {
        guard let meteorite = snapshot.record(at: Int(slot)), admits(meteorite) else { continue }
        left -= 1
        body { meteorite }
      }
    } else {
      guard left > 0 else { return }
      snapshot.scan { _, meteorite in
        guard filter.admits(meteorite) else { return true }
        left -= 1
        body { meteorite }
        return left > 0
      } stored: { _, reader in
        let start = reader.position
        guard try filter.admitted(reading: &reader) != nil else { return true }
        reader.position = start
        left -= 1
        body { reader.accepted() }
        return left > 0
      }
    }
  }

  // MARK: Indexes

  /// The result of the index of texts or of places.
  private struct Narrowed {
    /// The slots in ascending order.
    var slots: [Int32]
    /// A Boolean value that indicates whether nothing but ``MeteoriteFilter/admits(_:)`` is left to
    /// test.
    var isExact: Bool
    /// Returns whether a meteorite of these slots matches.
    var admits: (Meteorite) -> Bool
  }

  /// Returns the meteorites that meet the condition on text or place, or `nil` if there is none.
  private func narrowed(_ query: MeteoriteQuery, _ filter: MeteoriteFilter) -> Narrowed? {
    if let text = query.text.map(MeteoriteFilter.fold), !text.isEmpty {
      return Narrowed(
        slots: indexes.slots(containing: text),
        isExact: query.circle == nil && query.box == nil
      ) { filter.admits($0) && filter.admitsPlace($0) }
    }
    let slots =
      query.circle.map { indexes.slots(within: $0.radius, of: $0.center) }
      ?? query.box.map { indexes.slots(in: $0) }
    guard let slots else { return nil }
    return Narrowed(slots: slots, isExact: query.circle == nil || query.box == nil) {
      filter.admits($0) && filter.admitsBox($0)
    }
  }

  /// Returns slots that contain all meteorites in the range of masses or years, in any order, or `nil` if
  /// there is no range, or no index of it.
  private func slotsInRange(_ query: MeteoriteQuery) -> [Int32]? {
    if let range = query.orderedMasses,
      let index = orders.masses.index(insteadOf: snapshot.count)
    {
      return index.slots(in: range, .ascending, limit: .max)
    }
    if let range = query.years, let index = orders.years.index(insteadOf: snapshot.count) {
      return index.slots(in: range, .ascending, limit: .max)
    }
    return nil
  }

  /// Returns the meteorites that match a query from an index of its order, or `nil` if there is
  /// none.
  private func find(
    _ query: MeteoriteQuery, _ filter: MeteoriteFilter, _ narrowed: Narrowed?
  ) -> [Meteorite]? {
    switch query.order {
    case .massDescending:
      find(query, filter, narrowed, orders.masses, in: query.orderedMasses, .descending)
    case .massAscending:
      find(query, filter, narrowed, orders.masses, in: query.orderedMasses, .ascending)
    case .yearDescending: find(query, filter, narrowed, orders.years, in: query.years, .descending)
    case .yearAscending: find(query, filter, narrowed, orders.years, in: query.years, .ascending)
    case .name: find(query, filter, narrowed, orders.names, in: nil, .ascending)
    case .id: find(query, filter, narrowed, orders.ids, in: nil, .ascending)
    default: nil
    }
  }

  private func find<Value>(
    _ query: MeteoriteQuery, _ filter: MeteoriteFilter, _ narrowed: Narrowed?,
    _ kept: MeteoriteOrders.Kept<Value>, in range: ValueRange<Value>?, _ order: ValueOrder
  ) -> [Meteorite]? {
    guard let index = kept.index(insteadOf: narrowed?.slots.count ?? snapshot.count) else {
      return nil
    }
    let end = query.end
    guard end > 0 else { return [] }
    let admits = narrowed?.admits ?? filter.admits
    var found: [Meteorite] = []
    func take(_ slot: Int32) -> Bool {
      if let meteorite = snapshot.record(at: Int(slot)), admits(meteorite) {
        found.append(meteorite)
      }
      return found.count < end
    }
    if let narrowed {
      index.forEach(among: narrowed.slots, order, take)
    } else if range == nil, let inRange = slotsInRange(query) {
      index.forEach(among: inRange, order, take)
    } else {
      index.forEach(in: range, order, take)
    }
    return found.page(offset: query.offset, limit: query.limit)
  }
}

extension MeteoriteQuery {
  /// The range of masses, or `nil` if there is none, or a bound has no place in the order.
  fileprivate var orderedMasses: ValueRange<Double>? {
    massInGrams.flatMap { $0.isOrdered ? $0 : nil }
  }
}
