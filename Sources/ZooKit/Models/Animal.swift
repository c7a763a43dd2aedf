public import FieldCore
public import FieldFoundation

/// An animal of Taipei Zoo at one place, from a row of the zoo's data.
///
/// A property is `nil` if the source leaves it blank or gives an unreadable value, whose text is
/// then in ``unreadable``: a `########` instead of a day, or a bird's name instead of a URL because
/// the columns of a row are shifted. Texts are as the source gives them, including line breaks and
/// numbering.
///
/// Source: data.taipei, 臺北市立動物園_動物資料. Rows of every form since 2015 yield the same values.
public struct Animal: Identifiable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The ID, which lasts from one import to the next.
  public var id: ID
  /// The Chinese name; for a row without one, the first other name.
  public var name: String
  /// The English name; some rows have two, see ``englishNames``.
  public var englishName: String?
  /// The scientific name.
  public var latinName: String?
  /// The alternative Chinese names, as one text; see ``alternativeNames``.
  public var alternativeNamesText: String?

  /// The phylum, in Chinese, such as `脊索動物門`.
  public var phylum: String?
  /// The class.
  public var animalClass: AnimalClass?
  /// The order, in Chinese, such as `食肉目`.
  public var order: String?
  /// The family, in Chinese, such as `熊科`.
  public var family: String?

  /// The text of the conservation column, which combines ``conservation``, ``protection``, and
  /// ``endemism``.
  public var conservationText: String?
  /// The Red List status of the species; `nil` if the text names none.
  ///
  /// ```swift
  /// if animal.conservation?.isThreatened == true { show(animal.conservation?.title as Any) }
  /// ```
  public var conservation: ConservationStatus?
  /// The protection category in Taiwan; `nil` if the text names none.
  public var protection: ProtectionCategory?
  /// The kind of endemism in Taiwan; `nil` if the text names none.
  public var endemism: Endemism?

  /// The distribution in the world.
  public var distribution: String?
  /// The habitat.
  public var habitat: String?
  /// The appearance.
  public var feature: String?
  /// The behavior.
  public var behavior: String?
  /// The diet.
  public var diet: String?
  /// The threats to the animal.
  public var crisis: String?
  /// The interpretation for visitors.
  public var interpretation: String?
  /// A summary; blank in all rows of 2026.
  public var summary: String?
  /// The keywords, as one text.
  public var keywords: String?

  /// The names of the areas where the animal is shown, as one text; see ``locations``.
  public var locationText: String?
  /// The places where the animal is shown; before 2026, one row could have several.
  public var places: [Coordinate]
  /// The issue with ``places``; `nil` if there is none.
  public var positionIssue: ZooPositionIssue?
  /// The group on the zoo's map.
  public var poiGroup: String?

  /// The pictures, up to four.
  public var pictures: [ZooMedia]
  /// The documents, up to two; most are worksheets in PDF.
  public var documents: [ZooMedia]
  /// The recordings, up to three.
  public var recordings: [ZooMedia]
  /// A video, or a list of them.
  public var video: ZooLink?
  /// The name of a site about the animal.
  public var themeName: String?
  /// The site about the animal.
  public var theme: ZooLink?

  /// The zoo's code for the animal, such as `Camel-B`; not a key, see ``ID``.
  public var code: String?
  /// The zoo's number for the animal (`A_CID`); not a key, see ``ID``.
  public var catalogNumber: String?
  /// The options for adopting the animal; blank in all rows of 2026.
  public var adoption: String?
  /// The day when the row was last changed; `nil` if the source gives none that is readable.
  public var updated: CalendarDay?
  /// The date when the portal imported the row.
  public var importDate: Date?
  /// The number of the row in its file (`_id`), which shifts from import to import.
  public var rowNumber: Int?
  /// The texts of unreadable columns, keyed by the column's name in lowercase, such as `a_update`.
  public var unreadable: [String: String]

  /// Creates an animal; by default, its ID is derived from its name and first place.
  public init(
    id: ID? = nil, name: String, englishName: String? = nil, latinName: String? = nil,
    alternativeNamesText: String? = nil, phylum: String? = nil, animalClass: AnimalClass? = nil,
    order: String? = nil, family: String? = nil, conservationText: String? = nil,
    conservation: ConservationStatus? = nil, protection: ProtectionCategory? = nil,
    endemism: Endemism? = nil, distribution: String? = nil, habitat: String? = nil,
    feature: String? = nil, behavior: String? = nil, diet: String? = nil, crisis: String? = nil,
    interpretation: String? = nil, summary: String? = nil, keywords: String? = nil,
    locationText: String? = nil, places: [Coordinate] = [],
    positionIssue: ZooPositionIssue? = nil, poiGroup: String? = nil, pictures: [ZooMedia] = [],
    documents: [ZooMedia] = [], recordings: [ZooMedia] = [], video: ZooLink? = nil,
    themeName: String? = nil, theme: ZooLink? = nil, code: String? = nil,
    catalogNumber: String? = nil, adoption: String? = nil, updated: CalendarDay? = nil,
    importDate: Date? = nil, rowNumber: Int? = nil, unreadable: [String: String] = [:]
  ) {
    self.id = id ?? ID(name: name, place: places.first)
    self.name = name
    self.englishName = englishName
    self.latinName = latinName
    self.alternativeNamesText = alternativeNamesText
    self.phylum = phylum
    self.animalClass = animalClass
    self.order = order
    self.family = family
    self.conservationText = conservationText
    self.conservation = conservation
    self.protection = protection
    self.endemism = endemism
    self.distribution = distribution
    self.habitat = habitat
    self.feature = feature
    self.behavior = behavior
    self.diet = diet
    self.crisis = crisis
    self.interpretation = interpretation
    self.summary = summary
    self.keywords = keywords
    self.locationText = locationText
    self.places = places
    self.positionIssue = positionIssue
    self.poiGroup = poiGroup
    self.pictures = pictures
    self.documents = documents
    self.recordings = recordings
    self.video = video
    self.themeName = themeName
    self.theme = theme
    self.code = code
    self.catalogNumber = catalogNumber
    self.adoption = adoption
    self.updated = updated
    self.importDate = importDate
    self.rowNumber = rowNumber
    self.unreadable = unreadable
  }

  /// A description with the ID, and the English name in parentheses.
  public var description: String { "\(id)\(englishName.map { " (\($0))" } ?? "")".printable }

  /// The identifier of an animal at its place, which lasts from one import to the next.
  ///
  /// The source has no key. Its `_id` is the row's number in the file and shifts whenever a row is
  /// added before it (笑翠鳥 was 19 in 2022 and 23 in 2026). `A_CID` and `A_Code` are blank in 182 and
  /// 20 of 313 rows, and two animals may share one. The name is always present, but since 2026 an
  /// animal that is shown in two places has two rows, which differ only in the place.
  ///
  /// The ID therefore consists of the name and the first place: `雙峰駱駝@24.9950,121.5856`. It depends
  /// only on the row itself, so rows can be added, removed, and reordered around it. The name is
  /// folded as for searching (臺 and 台 are equal, and so are both widths), and the place is rounded
  /// to four decimal places, so that a row has the same ID in 2022 and 2026. Rows that agree in
  /// both get `#2`, `#3` in order.
  ///
  /// The ID changes if the zoo moves or renames an animal. To identify an animal wherever it is,
  /// use ``Species/ID``.
  public typealias ID = RecordID<Animal>

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

extension RecordID where Subject == Animal {
  /// Creates the ID of an animal from its Chinese name and its first place.
  public init(name: String, place: Coordinate? = nil) {
    self.init(rawValue: ZooKey.text(name: name, place: place))
  }
}

// MARK: - Storage

extension Animal: StoredRecord {
  /// Writes the animal; repeated texts are written once per store.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(name)
    var animal = self
    try animal.exchange(with: &writer)
  }

  /// Creates an animal by reading what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    self.init(id: ID(rawValue: try reader.string()), name: try reader.string())
    try exchange(with: &reader)
  }

  private mutating func exchange(with coder: inout some RecordCoder) throws {
    try coder.text(&englishName)
    try coder.text(&latinName)
    try coder.text(&alternativeNamesText)
    try coder.sharedText(&phylum)
    try coder.name(&animalClass)
    try coder.sharedText(&order)
    try coder.sharedText(&family)
    try coder.sharedText(&conservationText)
    try coder.name(&conservation)
    try coder.name(&protection)
    try coder.name(&endemism)
    try coder.text(&distribution)
    try coder.text(&habitat)
    try coder.text(&feature)
    try coder.text(&behavior)
    try coder.text(&diet)
    try coder.text(&crisis)
    try coder.text(&interpretation)
    try coder.text(&summary)
    try coder.text(&keywords)
    try coder.sharedText(&locationText)
    try coder.places(&places)
    try coder.name(&positionIssue)
    try coder.sharedText(&poiGroup)
    try coder.media(&pictures)
    try coder.media(&documents)
    try coder.media(&recordings)
    try coder.link(&video)
    try coder.text(&themeName)
    try coder.link(&theme)
    try coder.text(&code)
    try coder.text(&catalogNumber)
    try coder.text(&adoption)
    try coder.day(&updated)
    try coder.date(&importDate)
    try coder.number(&rowNumber)
    try coder.texts(&unreadable)
  }
}
