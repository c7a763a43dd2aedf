public import FieldCore
public import FieldFoundation

/// A plant of Taipei Zoo at one place, from a row of the zoo's data.
///
/// A property is `nil` if the source leaves it blank. The texts of unreadable values are in
/// ``unreadable``.
///
/// Source: data.taipei, 臺北市立動物園_植物資料: 276 rows of 99 names in 2026.
public struct Plant: Identifiable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The ID, derived from the name and the first place, as for an animal.
  public var id: ID
  /// The Chinese name; for a row without one, the first other name.
  public var name: String
  /// The English name; see ``englishNames``.
  public var englishName: String?
  /// The scientific name.
  public var latinName: String?
  /// The alternative Chinese names, as one text; see ``alternativeNames``.
  public var alternativeNamesText: String?
  /// The family, in Chinese and Latin, such as `千屈菜科 Lythraceae`.
  public var family: String?
  /// The genus, in Chinese and Latin, such as `紫薇屬Lagerstroemia`.
  public var genus: String?
  /// A short description.
  public var brief: String?
  /// The appearance.
  public var feature: String?
  /// The uses of the plant.
  public var uses: String?
  /// A summary; blank in all rows of 2026.
  public var summary: String?
  /// The keywords, as one text.
  public var keywords: String?
  /// The names of the places where the plant grows, as one text; see ``locations``.
  public var locationText: String?
  /// The places where the plant grows; before 2026, one row could have many.
  public var places: [Coordinate]
  /// The issue with ``places``; `nil` if there is none.
  public var positionIssue: ZooPositionIssue?
  /// The pictures, up to four.
  public var pictures: [ZooMedia]
  /// The documents, up to two.
  public var documents: [ZooMedia]
  /// The recordings, up to three.
  public var recordings: [ZooMedia]
  /// A video.
  public var video: ZooLink?
  /// The zoo's code for the plant.
  public var code: String?
  /// The zoo's number for the plant (`F_CID`).
  public var catalogNumber: String?
  /// The day when the row was last changed.
  public var updated: CalendarDay?
  /// The date when the portal imported the row.
  public var importDate: Date?
  /// The number of the row in its file (`_id`), which shifts from import to import.
  public var rowNumber: Int?
  /// The texts of unreadable columns, keyed by the column's name in lowercase.
  public var unreadable: [String: String]

  /// Creates a plant; by default, its ID is derived from its name and first place.
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

  /// The alternative Chinese names, as a list.
  public var alternativeNames: [String] { ZooWords.list(alternativeNamesText) }
  /// The English names, as a list.
  public var englishNames: [String] { ZooWords.list(englishName, alsoAt: ["或"]) }
  /// The names of the places where the plant grows, as a list in the source's spelling.
  public var locations: [String] { ZooWords.places(locationText) }
  /// The first place; `nil` if there is none.
  public var coordinate: Coordinate? { places.first }
  /// The URL of the first picture; `nil` if there is none.
  public var pictureURL: URL? { pictures.lazy.compactMap(\.url).first }

  /// Returns the name to show in a language: the first English one, or the Chinese one if there is
  /// none.
  public func title(in language: TextLanguage) -> String {
    ZooTexts.name(name, english: englishNames.first, in: language)
  }

  /// A description with the ID, and the English name in parentheses.
  public var description: String { "\(id)\(englishName.map { " (\($0))" } ?? "")".printable }
}

extension RecordID where Subject == Plant {
  /// Creates the ID of a plant from its Chinese name and its first place.
  public init(name: String, place: Coordinate? = nil) {
    self.init(rawValue: ZooKey.text(name: name, place: place))
  }
}

// MARK: - Storage

extension Plant: StoredRecord {
  /// Writes the plant; repeated texts are written once per store.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(name)
    var plant = self
    try plant.exchange(with: &writer)
  }

  /// Creates a plant by reading what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    self.init(id: ID(rawValue: try reader.string()), name: try reader.string())
    try exchange(with: &reader)
  }

  private mutating func exchange(with coder: inout some RecordCoder) throws {
    try coder.text(&englishName)
    try coder.text(&latinName)
    try coder.text(&alternativeNamesText)
    try coder.sharedText(&family)
    try coder.sharedText(&genus)
    try coder.text(&brief)
    try coder.text(&feature)
    try coder.text(&uses)
    try coder.text(&summary)
    try coder.text(&keywords)
    try coder.sharedText(&locationText)
    try coder.places(&places)
    try coder.name(&positionIssue)
    try coder.media(&pictures)
    try coder.media(&documents)
    try coder.media(&recordings)
    try coder.link(&video)
    try coder.text(&code)
    try coder.text(&catalogNumber)
    try coder.day(&updated)
    try coder.date(&importDate)
    try coder.number(&rowNumber)
    try coder.texts(&unreadable)
  }
}
