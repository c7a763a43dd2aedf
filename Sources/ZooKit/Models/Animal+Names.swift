public import FieldCore
public import FieldFoundation

extension Animal {
  /// The alternative Chinese names, as a list; 熊貓 appears only here.
  ///
  /// ```swift
  /// if animal.alternativeNames.contains("熊貓") { show(animal.name) }
  /// ```
  public var alternativeNames: [String] { ZooWords.list(alternativeNamesText) }

  /// The English names, as a list; some rows have two, separated by a comma or by `或`.
  public var englishNames: [String] { ZooWords.list(englishName, alsoAt: ["或"]) }

  /// The names of the areas where the animal is shown, as a list in the source's spelling.
  ///
  /// ```swift
  /// show(animal.locations.joined(separator: ", "))
  /// ```
  public var locations: [String] { ZooWords.places(locationText) }

  /// The ID of the animal's species, derived from its name.
  public var speciesID: Species.ID { Species.ID(name: name) }

  /// The first place; `nil` if there is none.
  ///
  /// ```swift
  /// if let place = animal.coordinate { show(place.distance(to: here)) }
  /// ```
  public var coordinate: Coordinate? { places.first }

  /// The URL of the first picture; `nil` if there is none.
  ///
  /// ```swift
  /// if let url = animal.pictureURL { show(url) }
  /// ```
  public var pictureURL: URL? { pictures.lazy.compactMap(\.url).first }

  /// Returns the name to show in a language: the first English one, or the Chinese one if there is
  /// none.
  ///
  /// ```swift
  /// show(animal.title(in: .english))  // Giant Panda
  /// ```
  public func title(in language: TextLanguage) -> String {
    ZooTexts.name(name, english: englishNames.first, in: language)
  }
}
