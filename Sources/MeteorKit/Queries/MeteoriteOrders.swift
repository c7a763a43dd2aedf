internal import FieldCore

/// The orders of a view's meteorites, each with ties in the order of the IDs.
///
/// An index of an order costs about as much as testing all meteorites four times, so it is made by the first query
/// before which that many have been tested without it. It follows small changes, and is stored beside the file of a
/// store, from which the first query of another process reads it, which takes less than testing all meteorites once.
struct MeteoriteOrders: Sendable {
  typealias Kept<Value: Comparable & Hashable & Sendable> = KeptIndex<Meteorite, OrderIndex<Value>>

  /// The order of the masses, in grams.
  let masses: Kept<Double>
  /// The order of the years.
  let years: Kept<Int>
  /// The order of the folded names, which aren't kept.
  let names: Kept<Never>
  /// The order of the IDs.
  let ids: Kept<Never>

  init(of content: IndexedSnapshot<Meteorite>, after earlier: Self?) {
    masses = Self.kept(
      Self.massForm, of: content, after: earlier?.masses, ties: { $0.id < $1.id },
      value: { $0.orderedMass }
    ) { snapshot in
      OrderIndex(
        of: snapshot, ties: snapshot.slotsByID,
        stored: { try MeteoriteOutline(reading: &$0).massInGrams?.inOrder },
        by: { $0.orderedMass })
    }
    years = Self.kept(
      Self.yearForm, of: content, after: earlier?.years, ties: { $0.id < $1.id },
      value: { $0.year?.rawValue }
    ) { snapshot in
      OrderIndex(
        of: snapshot, ties: snapshot.slotsByID,
        stored: { try MeteoriteOutline(reading: &$0).year?.rawValue }, by: { $0.year?.rawValue })
    }
    names = Self.kept(
      Self.nameForm, of: content, after: earlier?.names,
      ties: { (TextFolding.fold($0.name), $0.id) < (TextFolding.fold($1.name), $1.id) },
      value: { _ in nil }
    ) { snapshot in
      OrderIndex(slots: snapshot.slotsByName, slotLimit: snapshot.slotLimit)
    }
    ids = Self.kept(
      Self.idForm, of: content, after: earlier?.ids, ties: { $0.id < $1.id }, value: { _ in nil }
    ) { snapshot in
      OrderIndex(slots: snapshot.slotsByID, slotLimit: snapshot.slotLimit)
    }
  }

  // They are the same for all views.
  private static let massForm = OrderIndex<Double>.form("mass", "") { (meteorite: Meteorite) in
    meteorite.orderedMass
  }
  private static let yearForm = OrderIndex<Int>.form("year", "") { (meteorite: Meteorite) in
    meteorite.year?.rawValue
  }
  private static let nameForm = OrderIndex<Never>.form("name", "") { (_: Meteorite) in nil }
  private static let idForm = OrderIndex<Never>.form("id", "") { (_: Meteorite) in nil }

  private static func kept<Value>(
    _ form: IndexForm<Meteorite, OrderIndex<Value>>, of content: IndexedSnapshot<Meteorite>,
    after earlier: Kept<Value>?,
    ties: @escaping @Sendable (Meteorite, Meteorite) -> Bool,
    value: @escaping @Sendable (Meteorite) -> Value?,
    build: @escaping @Sendable (Snapshot<Meteorite>) -> OrderIndex<Value>
  ) -> Kept<Value> {
    KeptIndex(
      of: content, after: earlier, price: 4 * content.snapshot.count,
      readingPrice: content.snapshot.count / 2,
      form: form, build: build
    ) {
      $0.updated(by: $1, ties: ties, value: value)
    }
  }
}

extension Snapshot<Meteorite> {
  /// The slots in the order of the IDs.
  var slotsByID: [Int32] {
    // Nearly always, the IDs are small numbers, which are sorted faster together with the slots.
    var packed: [UInt64] = []
    packed.reserveCapacity(count)
    var others: [(id: Meteorite.ID, slot: Int32)] = []
    scan(\.id, stored: { try MeteoriteOutline(reading: &$0).id(in: $0) }) { slot, id in
      if case .number(let number) = id.storage, number <= UInt32.max {
        packed.append(number << 32 | UInt64(slot))
      } else {
        others.append((id, Int32(slot)))
      }
    }
    packed.sort()
    others.sort { $0.id < $1.id }
    return packed.map { Int32(truncatingIfNeeded: $0) } + others.map(\.slot)
  }

  /// The slots in the order of the folded names, with ties in the order of the IDs.
  fileprivate var slotsByName: [Int32] {
    var entries: [(name: String, id: Meteorite.ID, slot: Int32)] = []
    entries.reserveCapacity(count)
    scan { slot, meteorite in
      entries.append((TextFolding.fold(meteorite.name), meteorite.id, Int32(slot)))
      return true
    } stored: { slot, reader in
      let outline = try MeteoriteOutline(reading: &reader)
      entries.append(
        (TextFolding.fold(outline.name(in: reader)), outline.id(in: reader), Int32(slot)))
      return true
    }
    entries.sort { ($0.name, $0.id) < ($1.name, $1.id) }
    return entries.map(\.slot)
  }
}
