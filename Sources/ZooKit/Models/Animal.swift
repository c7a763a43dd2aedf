public import FieldCore
public import FieldFoundation

/// An animal of Taipei Zoo at one place, as a row of its data lists it.
///
/// What the source leaves blank is nil. What it says and cannot be read is nil too, with its text in
/// ``unreadable``: a `########` in place of a day, a bird's name in place of an address, because the
/// columns of a row have been shifted. Texts are as the source has them, with their line breaks and
/// numbering.
///
/// Source: data.taipei, 臺北市立動物園_動物資料; rows of every form since 2015 make the same values.
public struct Animal: Identifiable, Hashable, Sendable, Codable {
  /// The key, which lasts from one import to the next.
  public var id: ID
  /// The name in Chinese; for a row without one, the first other name that it has.
  public var name: String
  /// The name in English; some rows have two, see ``englishNames``.
  public var englishName: String?
  /// The scientific name.
  public var latinName: String?
  /// Other names in Chinese, as one text; see ``alternativeNames``.
  public var alternativeNamesText: String?

  /// The phylum in Chinese, such as `脊索動物門`.
  public var phylum: String?
  /// The class.
  public var animalClass: AnimalClass?
  /// The order in Chinese, such as `食肉目`.
  public var order: String?
  /// The family in Chinese, such as `熊科`.
  public var family: String?

  /// What the column of conservation says, which holds three things: see ``conservation``,
  /// ``protection`` and ``endemism``.
  public var conservationText: String?
  /// How much the species is threatened; nil when the text names no status of the Red List.
  public var conservation: ConservationStatus?
  /// How it is protected in Taiwan; nil when the text does not say.
  public var protection: ProtectionCategory?
  /// Whether it lives in Taiwan alone; nil when the text does not say so.
  public var endemism: Endemism?

  /// Where in the world it lives.
  public var distribution: String?
  /// What surroundings it lives in.
  public var habitat: String?
  /// What it looks like.
  public var feature: String?
  /// How it behaves.
  public var behavior: String?
  /// What it eats.
  public var diet: String?
  /// What threatens it.
  public var crisis: String?
  /// What a guide says about it.
  public var interpretation: String?
  /// A summary; blank in all rows of 2026.
  public var summary: String?
  /// Keywords, as one text.
  public var keywords: String?

  /// The names of the areas where it is shown, as one text; see ``locations``.
  public var locationText: String?
  /// Where it is shown; several places before 2026, when an animal had one row.
  public var places: [Coordinate]
  /// What speaks against ``places``; nil when nothing does.
  public var positionIssue: ZooPositionIssue?
  /// The group on the zoo's map.
  public var poiGroup: String?

  /// The pictures, up to four.
  public var pictures: [ZooMedia]
  /// The documents, up to two; mostly work sheets in PDF.
  public var documents: [ZooMedia]
  /// The recordings, up to three.
  public var recordings: [ZooMedia]
  /// A video, or a list of them.
  public var video: ZooLink?
  /// The name of a site about the animal.
  public var themeName: String?
  /// The site about the animal.
  public var theme: ZooLink?

  /// The zoo's word for the animal, such as `Camel-B`; it is no key, see ``ID``.
  public var code: String?
  /// The zoo's number for the animal (`A_CID`); it is no key, see ``ID``.
  public var catalogNumber: String?
  /// How it can be adopted; blank in all rows of 2026.
  public var adoption: String?
  /// The day on which the row was changed last, when the source has one that can be read.
  public var updated: CalendarDay?
  /// When the portal took the row in.
  public var importDate: Date?
  /// The number of the row in its file (`_id`), which shifts from import to import.
  public var rowNumber: Int?
  /// The texts of those columns that hold something that cannot be read, by the column's name in lower
  /// case, such as `a_update`.
  public var unreadable: [String: String]

  /// Makes an animal; the key is that of its name and first place unless another is given.
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
}

extension Animal: CustomStringConvertible {
  /// The key, with the English name in parentheses.
  public var description: String { "\(id)\(englishName.map { " (\($0))" } ?? "")".printable }
}
