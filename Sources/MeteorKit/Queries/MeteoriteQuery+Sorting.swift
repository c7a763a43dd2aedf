internal import FieldCore

extension MeteoriteQuery.Order {
  /// Sorts meteorites that are in source order.
  func sort(_ meteorites: inout [Meteorite]) {
    switch self {
    case .massDescending:
      meteorites.sort(by: { $0.massInGrams }, descending: true)
    case .massAscending:
      meteorites.sort(by: { $0.massInGrams }, descending: false)
    case .yearDescending:
      meteorites.sort(by: { $0.year }, descending: true)
    case .yearAscending:
      meteorites.sort(by: { $0.year }, descending: false)
    case .name:
      // Folding is expensive, so fold each name once instead of at every comparison.
      meteorites =
        meteorites
        .map { (name: TextFolding.fold($0.name), meteorite: $0) }
        .sorted { ($0.name, $0.meteorite.id) < ($1.name, $1.meteorite.id) }
        .map(\.meteorite)
    case .id:
      meteorites.sort { $0.id < $1.id }
    default:
      break
    }
  }
}

extension [Meteorite] {
  /// Sorts by a value, with missing values last and ties ordered by ID.
  fileprivate mutating func sort<Value: Comparable>(
    by value: (Meteorite) -> Value?, descending: Bool
  ) {
    sort { left, right in
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
