public import FieldCore
public import FieldFoundation

/// An area of Taipei Zoo, or a house in it.
///
/// Source: data.taipei, 臺北市立動物園_館區簡介: 15 rows in 2021, 17 in 2026.
public struct ZooArea: Identifiable, Hashable, Sendable, Codable {
  /// The key: the name.
  public var id: ID
  /// The number that the zoo gives it.
  public var number: Int?
  /// The name in Chinese, such as `新光特展館（大貓熊館）`.
  public var name: String
  /// What kind of area it is.
  public var category: Category?
  /// A picture.
  public var picture: ZooLink?
  /// What there is to know about it.
  public var info: String?
  /// Remarks on opening, in prose; what can be read of them is in ``openingRules``.
  public var memo: String?
  /// Where it is.
  public var places: [Coordinate]
  /// What speaks against ``places``; nil when nothing does.
  public var positionIssue: ZooPositionIssue?
  /// A page about it, or a film in the data until 2022.
  public var link: ZooLink?
  /// When the portal took the row in.
  public var importDate: Date?
  /// The number of the row in its file (`_id`), which may shift.
  public var rowNumber: Int?
  /// The texts of those columns that hold something that cannot be read, by the column's name in lower
  /// case.
  public var unreadable: [String: String]

  /// Makes an area; the key is that of its name unless another is given.
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

  /// The identifier of an area: its name in Chinese, in which both widths, and 臺 and 台, are one.
  public typealias ID = RecordID<ZooArea>

  /// A kind of area, by its Chinese name.
  public struct Category: RawRepresentable, Hashable, Sendable, Codable {
    /// The name in Chinese.
    public var rawValue: String
    /// Makes a kind from its Chinese name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Outdoors (戶外區).
    public static var outdoors: Self { Self(rawValue: "戶外區") }
    /// Indoors (室內區).
    public static var indoors: Self { Self(rawValue: "室內區") }
    /// Special exhibitions (特展區), until 2022.
    public static var exhibition: Self { Self(rawValue: "特展區") }
    /// Houses of education (教育館區), since 2026.
    public static var education: Self { Self(rawValue: "教育館區") }
  }
}

extension RecordID where Subject == ZooArea {
  /// Creates an ID from a Chinese name.
  public init(name: String) { self.init(rawValue: TextFolding.fold(name)) }
}

extension ZooArea {
  /// The first place; nil when there is none.
  public var coordinate: Coordinate? { places.first }

  /// What ``memo`` says of opening; nil when there is no memo, or none that can be read.
  public var openingRules: ZooOpeningRules? { memo.flatMap(ZooOpeningRules.init(reading:)) }

  /// Whether the area is closed on a day, as far as its memo tells: not when there is no memo, and nil
  /// when there is one that cannot be read.
  ///
  /// The zoo's own holidays are not in the data.
  public func isClosed(on day: CalendarDay) -> Bool? {
    guard memo != nil else { return false }
    return openingRules?.isClosed(on: day)
  }
}

extension ZooArea: CustomStringConvertible {
  /// The name, with the kind of area in parentheses.
  public var description: String {
    "\(name)\(category.map { " (\($0.rawValue))" } ?? "")".printable
  }
}
