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
    typealias Entry = (id: Meteorite.ID, slot: Int32, coordinate: Coordinate)
    var entries: [Entry] = []
    entries.reserveCapacity(snapshot.count)
    snapshot.scan { slot, meteorite in
      if let coordinate = meteorite.coordinate {
        entries.append((meteorite.id, Int32(slot), coordinate))
      }
      return true
    } stored: { slot, reader in
      let outline = try MeteoriteOutline(reading: &reader)
      if let coordinate = outline.coordinate {
        entries.append((outline.id(in: reader), Int32(slot), coordinate))
      }
      return true
    }
    self.init(
      Self.order(entries).map { (key: entries[$0].slot, coordinate: entries[$0].coordinate) })
  }

  /// Returns the positions of entries in the order of their IDs.
  private static func order(
    _ entries: [(id: Meteorite.ID, slot: Int32, coordinate: Coordinate)]
  ) -> [Int] {
    // Nearly always, the IDs are small numbers, which are sorted faster together with the positions.
    var packed: [UInt64] = []
    packed.reserveCapacity(entries.count)
    for (position, entry) in entries.enumerated() {
      guard case .number(let number) = entry.id.storage, number <= UInt32.max else {
        return entries.indices.sorted { entries[$0].id < entries[$1].id }
      }
      packed.append(number << 32 | UInt64(position))
    }
    packed.sort()
    return packed.map { Int($0 & 0xFFFF_FFFF) }
  }
}
