internal import FieldCore

/// The indexes of a view: each is built at the first question that needs it.
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

  /// All names of the animals, folded, by position.
  var text: SubstringIndex {
    kept(\.text) { content in
      SubstringIndex(
        content.animals.lazy.map { animal in
          // The parts are apart by a blank, which no word of a query has.
          [animal.name, animal.englishName, animal.latinName, animal.alternativeNamesText]
            .compactMap { $0 }.joined(separator: " ")
        })
    }
  }

  /// All names of the plants, folded, by position.
  var plantText: SubstringIndex {
    kept(\.plantText) { content in
      SubstringIndex(
        content.plants.lazy.map { plant in
          [plant.name, plant.englishName, plant.latinName, plant.alternativeNamesText]
            .compactMap { $0 }.joined(separator: " ")
        })
    }
  }

  /// The places of animals by position, an entry for each place.
  struct AnimalPlaces: Sendable {
    var index: SpatialIndex
    /// How many places an animal has at the most.
    var mostOfOne: Int
  }

  var animalPlaces: AnimalPlaces {
    kept(\.animalPlaces) { content in
      let index = SpatialIndex(
        content.animals.enumerated().flatMap { position, animal in
          animal.places.map { (key: Int32(position), coordinate: $0) }
        })
      return AnimalPlaces(
        index: index, mostOfOne: content.animals.lazy.map(\.places.count).max() ?? 0)
    }
  }

  /// The places of the areas, by position.
  var areaPlaces: SpatialIndex {
    kept(\.areaPlaces) { content in
      SpatialIndex(
        content.areas.enumerated().flatMap { position, area in
          area.places.map { (key: Int32(position), coordinate: $0) }
        })
    }
  }

  var species: [Species] { kept(\.species) { Species.species(of: $0.animals) } }

  var areaNames: ZooAreaNames {
    kept(\.areaNames) { ZooAreaNames(of: $0.areas, aliases: $0.aliases) }
  }

  /// The positions of the animals of each area.
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
