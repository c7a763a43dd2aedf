internal import FieldCore

extension AnimalQuery {
  /// Returns whether an animal meets the conditions that need no index.
  func admits(_ animal: Animal) -> Bool {
    if let classes {
      guard let animalClass = animal.animalClass, classes.contains(animalClass) else {
        return false
      }
    }
    if let statuses {
      guard let status = animal.conservation, statuses.contains(status) else { return false }
    }
    if let protections {
      guard let protection = animal.protection, protections.contains(protection) else {
        return false
      }
    }
    if endemicOnly, animal.endemism == nil { return false }
    if let hasPicture, hasPicture != animal.pictures.contains(where: { $0.link != nil }) {
      return false
    }
    if let hasCoordinate, hasCoordinate == animal.places.isEmpty { return false }
    guard let circle else { return true }
    return animal.places.contains { circle.center.distance(to: $0) <= circle.radius }
  }

  /// Sorts positions, which are ascending, into the query's order.
  func sort(_ positions: [Int], of animals: [Animal]) -> [Int] {
    switch order {
    case .name:
      return sorted(positions, by: positions.map { animals[$0].name })
    case .englishName:
      // A text that begins with the last scalar sorts after every name.
      return sorted(
        positions,
        by: positions.map { animals[$0].englishName.map(TextFolding.fold) ?? "\u{10FFFF}" })
    case .mostThreatened:
      return sorted(positions, by: positions.map { Self.rank(animals[$0].conservation) })
    case .distance:
      guard let center = circle?.center else { return positions }
      return sorted(
        positions,
        by: positions.map { position in
          animals[position].places.lazy.map { center.distance(to: $0) }.min()
            ?? .meters(.infinity)
        })
    default:
      return positions
    }
  }

  /// Returns the positions sorted by their keys; positions with equal keys stay ascending.
  private func sorted(_ positions: [Int], by keys: [some Comparable]) -> [Int] {
    zip(keys, positions).sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.1)
  }

  private static func rank(_ status: ConservationStatus?) -> Int {
    guard let status else { return ConservationStatus.known.count + 1 }
    return ConservationStatus.known.firstIndex(of: status) ?? ConservationStatus.known.count
  }
}
