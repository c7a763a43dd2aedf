extension PlaceIndex {
  /// Returns the form of an index of locations.
  ///
  /// - Parameters:
  ///   - declaration: A description of the locations.
  ///   - isBySlot: Whether locations at the same distance are in the order of their slots.
  ///   - coordinate: A closure that returns the location of a record.
  static func form<Record: StoredRecord>(
    _ declaration: String, isBySlot: Bool, _ coordinate: @escaping @Sendable (Record) -> Coordinate?
  ) -> IndexForm<Record, Self> {
    IndexForm(name: "places", declaration: declaration) { index, _, bytes in
      guard isBySlot || index.changed.slots.isEmpty else { return false }
      index.rebased.write(to: &bytes)
      return true
    } read: { reader, limit in
      guard let base = SpatialIndex(from: &reader), base.keys.areDistinct(below: limit) else {
        return nil
      }
      return PlaceIndex(base)
    } agrees: { index, slot, record in
      // Looking for one slot takes a pass over all of them, so that is for the samples alone.
      index.base.agrees(slot, record.flatMap(coordinate))
    }
  }
}

extension PlaceIndex {
  /// An index of the same locations, in the order of their slots.
  private var rebased: SpatialIndex {
    guard !changed.slots.isEmpty else { return base }
    var entries = base.source.filter { !changed.slots.contains(sorted: $0.key) }
    for (slot, coordinate) in zip(changed.slots, changed.values) {
      if let coordinate { entries.append((slot, coordinate)) }
    }
    return SpatialIndex(entries.sorted { $0.key < $1.key })
  }
}

extension SpatialIndex {
  /// The entries in their order.
  fileprivate var source: [(key: Int32, coordinate: Coordinate)] {
    var places = [Int](repeating: 0, count: keys.count)
    for position in positions.indices {
      for entry in entries[entryRange(position)] { places[Int(entry)] = position }
    }
    return zip(keys, places).map { key, place in
      let position = positions[place]
      return (
        key, Coordinate(knownLatitude: position.latitude, longitude: position.longitude)
      )
    }
  }

  fileprivate func write(to section: inout [UInt8]) {
    section.append(numbers: keys)
    section.append(numbers: entries)
    section.append(numbers: entryStarts)
    section.append(numbers: positions.map(\.latitude))
    section.append(numbers: positions.map(\.longitude))
  }

  fileprivate init?(from reader: inout SectionReader) {
    guard let keys = reader.numbers(Int32.self), let entries = reader.numbers(Int32.self),
      let starts = reader.numbers(Int32.self), let latitudes = reader.numbers(Double.self),
      let longitudes = reader.numbers(Double.self), keys.count == entries.count,
      entries.areDistinct(below: keys.count), starts.count == latitudes.count + 1,
      latitudes.count == longitudes.count, starts.first == 0,
      starts.last == Int32(exactly: entries.count),
      zip(starts, starts.dropFirst()).allSatisfy(<)
    else { return nil }
    var coordinates: [Coordinate] = []
    coordinates.reserveCapacity(latitudes.count)
    for (latitude, longitude) in zip(latitudes, longitudes) {
      guard let place = Coordinate(validLatitude: latitude, longitude: longitude) else {
        return nil
      }
      coordinates.append(place)
    }
    self.init(leaves: coordinates, keys: keys, entries: entries, entryStarts: starts)
  }

  /// Returns a Boolean value that indicates whether the entry of a key has a location, or there is none.
  fileprivate func agrees(_ key: Int32, _ coordinate: Coordinate?) -> Bool {
    guard let entry = keys.firstIndex(of: key) else { return coordinate == nil }
    guard let coordinate, let place = entries.firstIndex(of: Int32(truncatingIfNeeded: entry))
    else {
      return false
    }
    let position = positions[entryStarts.partitioningIndex { Int($0) > place } - 1]
    let normalized = coordinate.normalized
    return position.latitude == normalized.latitude
      && (position.longitude == normalized.longitude || abs(position.latitude) == 90)
  }
}
