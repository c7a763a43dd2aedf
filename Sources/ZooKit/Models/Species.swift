public import FieldCore

/// A species in the zoo: the animals of one name, wherever they are shown.
///
/// The data of 2026 has 313 rows with 271 names.
public struct Species: Identifiable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The ID: the name, folded as for searching.
  public var id: ID
  /// The animals, one for each place, in source order; never empty.
  public var animals: [Animal]

  /// The identifier of a species: its Chinese name, in which 臺 and 台 are equal, as are both widths.
  public typealias ID = RecordID<Species>

  /// Returns the species of the given animals, in the order in which their names first occur.
  public static func species(of animals: some Sequence<Animal>) -> [Species] {
    let named = animals.map { (id: $0.speciesID, animal: $0) }
    let groups = Dictionary(grouping: named, by: \.id)
    return named.map(\.id).uniqued().map { id in
      Species(id: id, animals: (groups[id] ?? []).map(\.animal))
    }
  }

  /// The Chinese name.
  public var name: String { animals.first?.name ?? id.rawValue }
  /// The English name, from the first row that has one.
  public var englishName: String? { first(\.englishName) }
  /// The scientific name, from the first row that has one.
  public var latinName: String? { first(\.latinName) }
  /// The class, from the first row that has one.
  public var animalClass: AnimalClass? { first(\.animalClass) }
  /// The Red List status, from the first row that has one.
  public var conservation: ConservationStatus? { first(\.conservation) }

  /// All places, each once, in the order of the rows.
  public var places: [Coordinate] { animals.flatMap(\.places).uniqued() }
  /// The names of all areas where the species is shown, each once, in the order of the rows.
  public var locations: [String] { animals.flatMap(\.locations).uniqued() }

  /// Returns the name to show in a language; see ``Animal/title(in:)``.
  public func title(in language: TextLanguage) -> String {
    ZooTexts.name(
      name, english: animals.lazy.compactMap { $0.englishNames.first }.first, in: language)
  }

  private func first<Value>(_ value: KeyPath<Animal, Value?>) -> Value? {
    animals.lazy.compactMap { $0[keyPath: value] }.first
  }

  /// A description with the name, and the English name in parentheses.
  public var description: String { "\(name)\(englishName.map { " (\($0))" } ?? "")".printable }
}

extension RecordID where Subject == Species {
  /// Creates an ID from a Chinese name.
  public init(name: String) { self.init(rawValue: TextFolding.fold(name)) }
}

/// The kind of endemism of an animal that lives only in Taiwan.
public enum Endemism: String, Sendable, Hashable, Codable, CaseIterable {
  /// The whole species is endemic (特有種).
  case species
  /// The subspecies is endemic (特有亞種).
  case subspecies

  /// Creates a value by reading the zoo's text; returns `nil` if the text names none.
  public init?(reading text: String) {
    let names: KeyValuePairs = ["特有亞種": Self.subspecies, "特有種": .species]
    guard let found = ZooWords.first(of: names, in: TextFolding.fold(text)) else { return nil }
    self = found
  }
}
