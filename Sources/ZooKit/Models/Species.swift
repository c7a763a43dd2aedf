public import FieldCore

/// A species of the zoo: the animals of one name, wherever they are shown.
///
/// The data of 2026 have 313 rows of 271 names.
public struct Species: Identifiable, Hashable, Sendable, Codable {
  /// The key: the name, as it is searched for.
  public var id: ID
  /// The animals, one for each place, in the order of the source; there is at least one.
  public var animals: [Animal]

  /// The identifier of a species: its name in Chinese, in which 臺 and 台, and both widths, are one.
  public typealias ID = RecordID<Species>

  init(id: ID, animals: [Animal]) {
    self.id = id
    self.animals = animals
  }

  /// Folds animals into species, in the order in which the names come first.
  public static func species(of animals: some Sequence<Animal>) -> [Species] {
    var species: [Species] = []
    var positions: [ID: Int] = [:]
    for animal in animals {
      let id = animal.speciesID
      if let position = positions[id] {
        species[position].animals.append(animal)
      } else {
        positions[id] = species.count
        species.append(Species(id: id, animals: [animal]))
      }
    }
    return species
  }
}

extension RecordID where Subject == Species {
  /// Creates an ID from a Chinese name.
  public init(name: String) { self.init(rawValue: TextFolding.fold(name)) }
}

extension Species {
  /// The name in Chinese.
  public var name: String { animals.first?.name ?? id.rawValue }
  /// The name in English, of the first row that has one.
  public var englishName: String? { first(\.englishName) }
  /// The scientific name, of the first row that has one.
  public var latinName: String? { first(\.latinName) }
  /// The class, of the first row that has one.
  public var animalClass: AnimalClass? { first(\.animalClass) }
  /// How much the species is threatened, by the first row that says so.
  public var conservation: ConservationStatus? { first(\.conservation) }

  /// All places, each once, in the order of the rows.
  public var places: [Coordinate] { Self.once(animals.flatMap(\.places)) }
  /// The names of all areas where it is shown, each once, in the order of the rows.
  public var locations: [String] { Self.once(animals.flatMap(\.locations)) }

  /// The name to show in a language; see ``Animal/title(in:)``.
  public func title(in language: TextLanguage) -> String {
    ZooTexts.name(
      name, english: animals.lazy.compactMap { $0.englishNames.first }.first, in: language)
  }

  private func first<Value>(_ value: KeyPath<Animal, Value?>) -> Value? {
    animals.lazy.compactMap { $0[keyPath: value] }.first
  }

  private static func once<Value: Hashable>(_ values: [Value]) -> [Value] {
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
  }
}

extension Species: CustomStringConvertible {
  /// The name, with the English name in parentheses.
  public var description: String { "\(name)\(englishName.map { " (\($0))" } ?? "")".printable }
}
