public import FieldCore
public import FieldFoundation

/// An area of Taipei Zoo, or a building in it.
///
/// Source: data.taipei, 臺北市立動物園_館區簡介: 15 rows in 2021, 17 in 2026.
public struct ZooArea: Identifiable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The ID, derived from the name.
  public var id: ID
  /// The number that the zoo assigns to the area.
  public var number: Int?
  /// The Chinese name, such as `新光特展館（大貓熊館）`.
  public var name: String
  /// The kind of area.
  public var category: Category?
  /// A picture.
  public var picture: ZooLink?
  /// A description of the area.
  public var info: String?
  /// The remarks on opening, in prose; see ``openingRules`` for the readable part.
  public var memo: String?
  /// The places of the area.
  public var places: [Coordinate]
  /// The issue with ``places``; `nil` if there is none.
  public var positionIssue: ZooPositionIssue?
  /// A page about the area, or a film in the data until 2022.
  public var link: ZooLink?
  /// The date when the portal imported the row.
  public var importDate: Date?
  /// The number of the row in its file (`_id`), which may shift.
  public var rowNumber: Int?
  /// The texts of unreadable columns, keyed by the column's name in lowercase.
  public var unreadable: [String: String]

  /// Creates an area; by default, its ID is derived from its name.
  public init(
    id: ID? = nil, number: Int? = nil, name: String, category: Category? = nil,
    picture: ZooLink? = nil, info: String? = nil, memo: String? = nil, places: [Coordinate] = [],
    positionIssue: ZooPositionIssue? = nil, link: ZooLink? = nil, importDate: Date? = nil,
    rowNumber: Int? = nil, unreadable: [String: String] = [:]
  ) {
    self.id = id ?? ID(name: name)
    self.number = number
    self.name = name
    self.category = category
    self.picture = picture
    self.info = info
    self.memo = memo
    self.places = places
    self.positionIssue = positionIssue
    self.link = link
    self.importDate = importDate
    self.rowNumber = rowNumber
    self.unreadable = unreadable
  }

  /// The identifier of an area: its Chinese name, in which both widths are equal, as are 臺 and 台.
  public typealias ID = RecordID<ZooArea>

  /// A kind of area, identified by its Chinese name.
  public struct Category: RawRepresentable, Hashable, Sendable, Codable {
    /// The Chinese name.
    public var rawValue: String
    /// Creates a kind from its Chinese name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Outdoor areas (戶外區).
    public static var outdoors: Self { Self(rawValue: "戶外區") }
    /// Indoor areas (室內區).
    public static var indoors: Self { Self(rawValue: "室內區") }
    /// Special exhibitions (特展區), until 2022.
    public static var exhibition: Self { Self(rawValue: "特展區") }
    /// Education centers (教育館區), since 2026.
    public static var education: Self { Self(rawValue: "教育館區") }
  }

  /// The first place; `nil` if there is none.
  public var coordinate: Coordinate? { places.first }

  /// The opening rules in ``memo``; `nil` if there is no memo, or none that is readable.
  public var openingRules: ZooOpeningRules? { memo.flatMap(ZooOpeningRules.init(reading:)) }

  /// Returns whether the area's memo says that it is closed on a day.
  ///
  /// Returns `false` if there is no memo, or `nil` if there is one that can't be read. The zoo's
  /// own holidays aren't in the data.
  public func isClosed(on day: CalendarDay) -> Bool? {
    guard memo != nil else { return false }
    return openingRules?.isClosed(on: day)
  }

  /// A description with the name, and the kind of area in parentheses.
  public var description: String {
    "\(name)\(category.map { " (\($0.rawValue))" } ?? "")".printable
  }
}

extension RecordID where Subject == ZooArea {
  /// Creates an ID from a Chinese name.
  public init(name: String) { self.init(rawValue: TextFolding.fold(name)) }
}

// MARK: - Storage

extension ZooArea: StoredRecord {
  /// Writes the area.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(name)
    var area = self
    try area.exchange(with: &writer)
  }

  /// Creates an area by reading what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    self.init(id: ID(rawValue: try reader.string()), name: try reader.string())
    try exchange(with: &reader)
  }

  private mutating func exchange(with coder: inout some RecordCoder) throws {
    try coder.number(&number)
    try coder.name(&category)
    try coder.link(&picture)
    try coder.text(&info)
    try coder.text(&memo)
    try coder.places(&places)
    try coder.name(&positionIssue)
    try coder.link(&link)
    try coder.date(&importDate)
    try coder.number(&rowNumber)
    try coder.texts(&unreadable)
  }
}

/// An issue with the place of a record, which is kept nevertheless.
public struct ZooPositionIssue: RawRepresentable, Sendable, Hashable, Codable {
  /// The name of the issue.
  public var rawValue: String
  /// Creates an issue from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A place is outside the zoo and the hills around it.
  public static var outsideZoo: Self { Self(rawValue: "outsideZoo") }
  /// The source has swapped latitude and longitude, which have been corrected.
  public static var swapped: Self { Self(rawValue: "swapped") }
  /// The numbers aren't a valid place, or only some of the places can be read.
  public static var unreadable: Self { Self(rawValue: "unreadable") }
}
