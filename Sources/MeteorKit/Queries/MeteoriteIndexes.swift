internal import FieldCore

// The indexes are built from what is stored, without creating the meteorites.

extension SubstringIndex {
  /// Creates an index of the names, by slot.
  init(namesOf snapshot: Snapshot<Meteorite>) {
    var builder = Builder()
    builder.reserve(texts: snapshot.slotLimit, bytes: 16 * snapshot.slotLimit)
    snapshot.scan { slot, meteorite in
      builder.append(meteorite.name, at: slot)
      return true
    } stored: { slot, reader in
      let name = try MeteoriteOutline(reading: &reader).nameRange
      builder.append(utf8: name, of: reader.bytes, at: slot)
      return true
    }
    self = builder.finish(count: snapshot.slotLimit)
  }
}

extension Snapshot<Meteorite> {
  /// Calls a closure with the slot and the position of each meteorite that has one.
  func forEachPosition(_ body: (_ slot: Int32, Coordinate) -> Void) {
    scan(\.coordinate, stored: { try MeteoriteOutline(reading: &$0).coordinate }) {
      if let coordinate = $1 { body(Int32($0), coordinate) }
    }
  }
}

extension SpatialIndex {
  /// Creates an index of the positions, by slot, with ties in the order of the IDs.
  init(of snapshot: Snapshot<Meteorite>) {
    var coordinates = [Coordinate?](repeating: nil, count: snapshot.slotLimit)
    snapshot.forEachPosition { coordinates[Int($0)] = $1 }
    self.init(
      snapshot.slotsByID.compactMap { slot in
        coordinates[Int(slot)].map { (key: slot, coordinate: $0) }
      })
  }
}
