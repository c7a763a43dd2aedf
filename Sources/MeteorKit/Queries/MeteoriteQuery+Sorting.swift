internal import FieldCore

extension MeteoriteQuery.Order {
  /// Returns the first of the meteorites, which are in source order, in this order.
  func sorted(_ meteorites: [Meteorite], upTo count: Int) -> [Meteorite] {
    switch self {
    case .massDescending:
      meteorites.first(count, by: { $0.massInGrams }, descending: true)
    case .massAscending:
      meteorites.first(count, by: { $0.massInGrams }, descending: false)
    case .yearDescending:
      meteorites.first(count, by: { $0.year }, descending: true)
    case .yearAscending:
      meteorites.first(count, by: { $0.year }, descending: false)
    case .name:
      // Folding is expensive, so fold each name once instead of at every comparison.
      meteorites
        .map { (name: TextFolding.fold($0.name), meteorite: $0) }
        .first(count) { ($0.name, $0.meteorite.id) < ($1.name, $1.meteorite.id) }
        .map(\.meteorite)
    case .id:
      meteorites.first(count) { $0.id < $1.id }
    default:
      meteorites
    }
  }

  /// Returns this order of all meteorites, or `nil` if it is that of the source, or if they contain
  /// a number that can't be ordered.
  func slots(of snapshot: Snapshot<Meteorite>) -> SlotOrder? {
    let isDescending = self == .massDescending || self == .yearDescending
    switch self {
    case .massDescending, .massAscending:
      return SlotOrder(of: snapshot, ties: Self.ids(of: snapshot), descending: isDescending) {
        $0.massInGrams
      }
    case .yearDescending, .yearAscending:
      return SlotOrder(of: snapshot, ties: Self.ids(of: snapshot), descending: isDescending) {
        $0.year.map { Double(exactly: $0.rawValue) ?? .nan }
      }
    case .name:
      return SlotOrder(
        of: snapshot, key: { (TextFolding.fold($0.name), $0.id) }, precedes: { $0 < $1 })
    case .id:
      return Self.ids(of: snapshot)
    default:
      return nil
    }
  }

  private static func ids(of snapshot: Snapshot<Meteorite>) -> SlotOrder {
    SlotOrder(of: snapshot, key: { $0.id }, precedes: { $0 < $1 })
  }
}

extension [Meteorite] {
  /// Returns the first by a value, with missing values last and ties ordered by ID.
  fileprivate func first<Value: Comparable>(
    _ count: Int, by value: (Meteorite) -> Value?, descending: Bool
  ) -> [Meteorite] {
    first(count) { left, right in
      switch (value(left), value(right)) {
      case (let leftValue?, let rightValue?) where leftValue != rightValue:
        descending ? leftValue > rightValue : leftValue < rightValue
      case (.some, nil): true
      case (nil, .some): false
      default: left.id < right.id
      }
    }
  }
}
