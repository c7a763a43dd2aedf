public import FieldCore
public import FieldFoundation

/// A plant of Taipei Zoo at one place, as a row of its data lists it.
///
/// What the source leaves blank is nil, and what cannot be read has its text in ``unreadable``.
///
/// Source: data.taipei, 臺北市立動物園_植物資料: 276 rows of 99 names in 2026.
public struct Plant: Identifiable, Hashable, Sendable, Codable {
  /// The key: the name and the first place, as that of an animal.
  public var id: ID
  /// The name in Chinese; for a row without one, the first other name that it has.
  public var name: String
  /// The name in English; see ``englishNames``.
  public var englishName: String?
  /// The scientific name.
  public var latinName: String?
  /// Other names in Chinese, as one text; see ``alternativeNames``.
  public var alternativeNamesText: String?
  /// The family in Chinese and Latin, such as `千屈菜科 Lythraceae`.
  public var family: String?
  /// The genus in Chinese and Latin, such as `紫薇屬Lagerstroemia`.
  public var genus: String?
  /// What there is to know about it.
  public var brief: String?
  /// What it looks like.
  public var feature: String?
  /// What it is good for.
  public var uses: String?
  /// A summary; blank in all rows of 2026.
  public var summary: String?
  /// Keywords, as one text.
  public var keywords: String?
  /// The names of the places where it grows, as one text; see ``locations``.
  public var locationText: String?
  /// Where it grows; many places before 2026, when a plant had one row.
  public var places: [Coordinate]
  /// What speaks against ``places``; nil when nothing does.
  public var positionIssue: ZooPositionIssue?
  /// The pictures, up to four.
  public var pictures: [ZooMedia]
  /// The documents, up to two.
  public var documents: [ZooMedia]
  /// The recordings, up to three.
  public var recordings: [ZooMedia]
  /// A video.
  public var video: ZooLink?
  /// The zoo's word for the plant.
  public var code: String?
  /// The zoo's number for the plant (`F_CID`).
  public var catalogNumber: String?
  /// The day on which the row was changed last.
  public var updated: CalendarDay?
  /// When the portal took the row in.
  public var importDate: Date?
  /// The number of the row in its file (`_id`), which shifts from import to import.
  public var rowNumber: Int?
  /// The texts of those columns that hold something that cannot be read, by the column's name in lower
  /// case.
  public var unreadable: [String: String]

  /// Makes a plant; the key is that of its name and first place unless another is given.
  public init(
    id: ID? = nil, name: String, englishName: String? = nil, latinName: String? = nil,
    alternativeNamesText: String? = nil, family: String? = nil, genus: String? = nil,
    brief: String? = nil, feature: String? = nil, uses: String? = nil, summary: String? = nil,
    keywords: String? = nil, locationText: String? = nil, places: [Coordinate] = [],
    positionIssue: ZooPositionIssue? = nil, pictures: [ZooMedia] = [],
    documents: [ZooMedia] = [], recordings: [ZooMedia] = [], video: ZooLink? = nil,
    code: String? = nil, catalogNumber: String? = nil, updated: CalendarDay? = nil,
    importDate: Date? = nil, rowNumber: Int? = nil, unreadable: [String: String] = [:]
  ) {
    self.id = id ?? ID(name: name, place: places.first)
    self.name = name
    self.englishName = englishName
    self.latinName = latinName
    self.alternativeNamesText = alternativeNamesText
    self.family = family
    self.genus = genus
    self.brief = brief
    self.feature = feature
    self.uses = uses
    self.summary = summary
    self.keywords = keywords
    self.locationText = locationText
    self.places = places
    self.positionIssue = positionIssue
    self.pictures = pictures
    self.documents = documents
    self.recordings = recordings
    self.video = video
    self.code = code
    self.catalogNumber = catalogNumber
    self.updated = updated
    self.importDate = importDate
    self.rowNumber = rowNumber
    self.unreadable = unreadable
  }

  /// The identifier of a plant at its place; see ``Animal/ID``.
  public typealias ID = RecordID<Plant>
}

extension RecordID where Subject == Plant {
  /// Creates the ID of a plant from its Chinese name and its first place.
  public init(name: String, place: Coordinate? = nil) {
    self.init(rawValue: ZooKey.text(name: name, place: place))
  }
}

extension Plant {
  /// The other names in Chinese, one by one.
  public var alternativeNames: [String] { ZooWords.list(alternativeNamesText) }
  /// The names in English, one by one.
  public var englishNames: [String] { ZooWords.list(englishName, alsoAt: ["或"]) }
  /// The names of the places where it grows, one by one, as the source writes them.
  public var locations: [String] { ZooWords.places(locationText) }
  /// The first place; nil when there is none.
  public var coordinate: Coordinate? { places.first }
  /// The address of the first picture; nil when there is none.
  public var pictureURL: URL? { pictures.lazy.compactMap(\.url).first }

  /// The name to show in a language: the first one in English, or the Chinese one where there is none.
  public func title(in language: TextLanguage) -> String {
    ZooTexts.name(name, english: englishNames.first, in: language)
  }
}

extension Plant: CustomStringConvertible {
  /// The key, with the English name in parentheses.
  public var description: String { "\(id)\(englishName.map { " (\($0))" } ?? "")".printable }
}
