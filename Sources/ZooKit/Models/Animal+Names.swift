public import FieldCore
public import FieldFoundation

extension Animal {
  /// The other names in Chinese, one by one: 熊貓 is found only here.
  public var alternativeNames: [String] { ZooWords.list(alternativeNamesText) }

  /// The names in English, one by one: some rows have two, parted by a comma or by `或`.
  public var englishNames: [String] { ZooWords.list(englishName, alsoAt: ["或"]) }

  /// The names of the areas where it is shown, one by one, as the source writes them.
  public var locations: [String] { ZooWords.places(locationText) }

  /// The species that the animal is of, by its name.
  public var speciesID: Species.ID { Species.ID(name: name) }

  /// The first place; nil when there is none.
  public var coordinate: Coordinate? { places.first }

  /// The address of the first picture; nil when there is none.
  public var pictureURL: URL? { pictures.lazy.compactMap(\.url).first }

  /// The name to show in a language: the first one in English, or the Chinese one where there is none.
  public func title(in language: TextLanguage) -> String {
    ZooTexts.name(name, english: englishNames.first, in: language)
  }
}
