internal import FieldCore

extension MeteoriteQuery.Order {
  /// Returns the first of the meteorites, which are in source order, in this order.
  func sorted(_ meteorites: [Meteorite], upTo count: Int) -> [Meteorite] {
    if self == .name {
      // Folding is expensive, so fold each name once instead of at every comparison.
      return
        meteorites
        .map { (name: TextFolding.fold($0.name), meteorite: $0) }
        .first(count) { ($0.name, $0.meteorite.id) < ($1.name, $1.meteorite.id) }
        .map(\.meteorite)
    }
    guard let precedes = comparison(of: Meteorite.self) else { return meteorites }
    return meteorites.first(count, sortedBy: precedes)
  }

  /// Returns the slots of the first of the meteorites that a filter admits, in this order, or `nil` if it is that of
  /// the source. Meteorites that haven't been decoded stay so.
  func first(
    _ count: Int, of snapshot: Snapshot<Meteorite>, _ filter: MeteoriteFilter
  ) -> [Int32]? {
    if self == .name {
      typealias Entry = (name: String, id: Meteorite.ID, slot: Int32)
      func precedes(_ left: Entry, _ right: Entry) -> Bool {
        (left.name, left.id) < (right.name, right.id)
      }
      var first = FirstElements<Entry>(count)
      snapshot.scan { slot, meteorite in
        if filter.admits(meteorite) {
          first.insert(
            (TextFolding.fold(meteorite.name), meteorite.id, Int32(slot)), by: precedes)
        }
        return true
      } stored: { slot, reader in
        if let outline = try filter.admitted(reading: &reader) {
          let name = TextFolding.fold(outline.name(in: reader))
          first.insert((name, outline.id(in: reader), Int32(slot)), by: precedes)
        }
        return true
      }
      return first.sorted(by: precedes).map(\.slot)
    }
    guard let precedes = comparison(of: MeteoriteKey.self) else { return nil }
    var first = FirstElements<MeteoriteKey>(count)
    // Nearly all are behind the last of the first, which comparing two numbers shows.
    let rank = rank
    var limit = Double.infinity
    func insert(
      _ slot: Int, _ mass: Double?, _ year: Meteorite.Year?, id: @autoclosure () -> Meteorite.ID
    ) {
      guard !(rank(mass, year) > limit) else { return }
      first.insert(
        MeteoriteKey(slot: Int32(slot), id: id(), massInGrams: mass, year: year), by: precedes)
      if let last = first.last { limit = rank(last.massInGrams, last.year) }
    }
    snapshot.scan { slot, meteorite in
      if filter.admits(meteorite) {
        insert(slot, meteorite.massInGrams, meteorite.year, id: meteorite.id)
      }
      return true
    } stored: { slot, reader in
      if let outline = try filter.admitted(reading: &reader) {
        insert(slot, outline.massInGrams, outline.year, id: outline.id(in: reader))
      }
      return true
    }
    return first.sorted(by: precedes).map(\.slot)
  }

  /// A function whose result is greater only for meteorites that come later in this order.
  private var rank: (Double?, Meteorite.Year?) -> Double {
    switch self {
    case .massDescending: { mass, _ in mass.map { -$0.inOrder } ?? .infinity }
    case .massAscending: { mass, _ in mass?.inOrder ?? .infinity }
    case .yearDescending: { _, year in year.map { -Double($0.rawValue) } ?? .infinity }
    case .yearAscending: { _, year in year.map { Double($0.rawValue) } ?? .infinity }
    default: { _, _ in 0 }
    }
  }

  /// Returns a closure that compares by this order, or `nil` if it is that of the source, or of names.
  private func comparison<Key: MeteoriteSortKey>(
    of: Key.Type
  ) -> ((Key, Key) -> Bool)? {
    switch self {
    case .massDescending: { Self.precedes($0, $1, by: { $0.orderedMass }, descending: true) }
    case .massAscending: { Self.precedes($0, $1, by: { $0.orderedMass }, descending: false) }
    case .yearDescending: { Self.precedes($0, $1, by: { $0.year }, descending: true) }
    case .yearAscending: { Self.precedes($0, $1, by: { $0.year }, descending: false) }
    case .id: { $0.id < $1.id }
    default: nil
    }
  }

  /// Compares by a value, with missing values last and ties ordered by ID.
  @inline(__always)
  private static func precedes<Key: MeteoriteSortKey, Value: Comparable>(
    _ left: Key, _ right: Key, by value: (Key) -> Value?, descending: Bool
  ) -> Bool {
    switch (value(left), value(right)) {
    case (let leftValue?, let rightValue?) where leftValue != rightValue:
      descending ? leftValue > rightValue : leftValue < rightValue
    case (.some, nil): true
    case (nil, .some): false
    default: left.id < right.id
    }
  }
}
