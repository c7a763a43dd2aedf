internal import FieldCore

/// The indexes of a view, each built by the first query that needs it.
final class ZooIndexes: Sendable {
  private struct Built: Sendable {
    var text: SubstringIndex?
    var plantText: SubstringIndex?
    var animalPlaces: AnimalPlaces?
    var areaPlaces: SpatialIndex?
    var species: [Species]?
    var areaNames: ZooAreaNames?
    var animalsOfAreas: [[Int]]?
  }

  private let content: ZooContent
  private let built = Lock(Built())

  init(of content: ZooContent) { self.content = content }

  /// The folded names of the animals, by position.
  var text: SubstringIndex { kept(\.text) { SubstringIndex($0.animals.lazy.map(\.searchText)) } }

  /// The folded names of the plants, by position.
  var plantText: SubstringIndex {
    kept(\.plantText) { SubstringIndex($0.plants.lazy.map(\.searchText)) }
  }

  /// The places of the animals by position, with an entry for each place, and the greatest number
  /// of places of one animal.
  typealias AnimalPlaces = (index: SpatialIndex, mostOfOne: Int)

  var animalPlaces: AnimalPlaces {
    kept(\.animalPlaces) { content in
      (
        Self.index(of: content.animals.lazy.map(\.places)),
        content.animals.lazy.map(\.places.count).max() ?? 0
      )
    }
  }

  /// The places of the areas, by position.
  var areaPlaces: SpatialIndex {
    kept(\.areaPlaces) { Self.index(of: $0.areas.lazy.map(\.places)) }
  }

  /// Returns an index of the places of each position, with an entry for each place.
  private static func index(of places: some Sequence<[Coordinate]>) -> SpatialIndex {
    SpatialIndex(
      places.enumerated().flatMap { position, places in
        places.map { (key: Int32(position), coordinate: $0) }
      })
  }

  var species: [Species] { kept(\.species) { Species.species(of: $0.animals) } }

  var areaNames: ZooAreaNames {
    kept(\.areaNames) { ZooAreaNames(of: $0.areas, aliases: $0.aliases) }
  }

  /// The positions of the animals in each area.
  var animalsOfAreas: [[Int]] {
    let names = areaNames
    return kept(\.animalsOfAreas) { content in
      var animals = [[Int]](repeating: [], count: content.areas.count)
      for (position, animal) in content.animals.enumerated() {
        for area in Set(animal.locations.compactMap(names.position)) {
          animals[area].append(position)
        }
      }
      return animals
    }
  }

  private func kept<Value: Sendable>(
    _ index: any WritableKeyPath<Built, Value?> & Sendable, _ build: (ZooContent) -> Value
  ) -> Value {
    built.withLock { built in
      if let value = built[keyPath: index] { return value }
      let value = build(content)
      built[keyPath: index] = value
      return value
    }
  }
}
