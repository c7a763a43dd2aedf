public import FieldCore
public import FieldFoundation

/// A meteorite from NASA's table of the Meteoritical Society's data.
///
/// A property is `nil` if the source gives no value or an unreadable one, whose text is then in
/// ``unreadable``. Implausible values are kept; check ``positionIssue`` and
/// ``Year/validity(currentYear:)``.
///
/// A meteorite is a value type the size of a reference. Its fields are stored together, outside the
/// value, and copied when one of them changes: tens of thousands of meteorites are looked up,
/// sorted, and passed around far more often than changed. The getters are inlined.
///
/// Source: NASA Open Data, "Meteorite Landings" (`gh4g-9sfh`).
public struct Meteorite: Identifiable, Sendable, CustomStringConvertible {
  @usableFromInline
  final class Box: Sendable {
    @usableFromInline
    let fields: Fields
    init(_ fields: consuming Fields) { self.fields = fields }
  }

  @usableFromInline
  var box: Box

  init(_ fields: consuming Fields) { box = Box(fields) }

  var fields: Fields {
    get { box.fields }
    set { box = Box(newValue) }
  }

  /// The code in the Meteoritical Bulletin, which is the same in all files of the dataset.
  public var id: ID {
    @inlinable get { box.fields.id }
    set { fields.id = newValue }
  }

  /// The name in the source's spelling, with diacritics and trailing blanks; empty if there is
  /// none.
  public var name: String {
    @inlinable get { box.fields.name }
    set { fields.name = newValue }
  }

  /// The class, such as `L6` or `Iron, IIIAB`, with its ``Classification/group``.
  public var classification: Classification {
    @inlinable get { box.fields.classification }
    set { fields.classification = newValue }
  }

  /// The mass, in grams; `nil` if unknown, while 0 is a real value in the source (some relicts).
  public var massInGrams: Double? {
    @inlinable get { box.fields.massInGrams }
    set { fields.massInGrams = newValue }
  }

  /// A value that indicates whether the meteorite was seen falling.
  public var fall: Fall {
    @inlinable get { box.fields.fall }
    set { fields.fall = newValue }
  }

  /// A value that indicates whether the object is still a meteorite or a weathered relict.
  public var nameType: NameType {
    @inlinable get { box.fields.nameType }
    set { fields.nameType = newValue }
  }

  /// The year of the fall or find.
  public var year: Year? {
    @inlinable get { box.fields.year }
    set { fields.year = newValue }
  }

  /// The location of the fall or find, as given; check ``positionIssue`` to see if it's plausible.
  public var coordinate: Coordinate? {
    @inlinable get { box.fields.coordinate }
    set { fields.coordinate = newValue }
  }

  /// The texts of columns that can't be read, keyed by the column's usual name.
  public var unreadable: [String: String] {
    @inlinable get { box.fields.unreadable }
    set { fields.unreadable = newValue }
  }

  /// Creates a meteorite.
  public init(
    id: ID,
    name: String,
    classification: Classification = .unknown,
    massInGrams: Double? = nil,
    fall: Fall = .unknown,
    nameType: NameType = .valid,
    year: Year? = nil,
    coordinate: Coordinate? = nil,
    unreadable: [String: String] = [:]
  ) {
    self.init(
      Fields(
        id: id, massInGrams: massInGrams, year: year, coordinate: coordinate, name: name,
        classification: classification, fall: fall, nameType: nameType, unreadable: unreadable))
  }

  /// The meteorite's page in the Meteoritical Bulletin Database.
  public var bulletinURL: URL? {
    URL(string: "https://www.lpi.usra.edu/meteor/metbull.php")?
      .appending(queryItems: [URLQueryItem(name: "code", value: id.rawValue)])
  }

  /// The name, the ID, and the class, such as `Aachen (1), L5`.
  public var description: String { "\(name) (\(id)), \(classification)".printable }
}

extension Meteorite: Hashable {
  /// Returns a Boolean value that indicates whether all fields are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.fields == right.fields
  }

  /// Hashes all fields.
  public func hash(into hasher: inout Hasher) { fields.hash(into: &hasher) }
}

extension Meteorite: Codable {
  /// Creates a meteorite by decoding its fields by name.
  public init(from decoder: any Decoder) throws { self.init(try Fields(from: decoder)) }

  /// Encodes the fields by name.
  public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
}

// MARK: - Classification

extension Meteorite {
  /// The class of a meteorite, in the words of the Meteoritical Bulletin.
  ///
  /// The source has 466 classes, some of which differ only by a trailing blank. New classes are
  /// accepted as they appear. Compare ``name`` to ignore surrounding blanks.
  public struct Classification: RawRepresentable, Hashable, Sendable, Codable {
    /// The class as the source spells it.
    public var rawValue: String
    /// Creates a class from the source's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The source doesn't give a class.
    public static var unknown: Self { Self(rawValue: "") }

    /// The class without surrounding blanks.
    public var name: String { rawValue.trimmingBlanks }

    /// The group to which the class belongs.
    public var group: ClassGroup { ClassGroup(of: rawValue) }
  }
}

extension Meteorite.Classification: ExpressibleByStringLiteral {
  /// Creates a class from the source's word.
  public init(stringLiteral value: String) { rawValue = value }
}

extension Meteorite.Classification: CustomStringConvertible {
  /// The class as the source spells it.
  public var description: String { rawValue }
}

extension String {
  /// The text without the spaces and tabs around it, or the text itself if there are none.
  var trimmingBlanks: String {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let first = utf8.first, let last = utf8.last, isBlank(first) || isBlank(last) else {
      return self
    }
    guard let start = utf8.firstIndex(where: { !isBlank($0) }),
      let end = utf8.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[start...end])
  }
}

extension Meteorite {
  /// A value that indicates whether a meteorite was seen falling.
  public struct Fall: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable {
    /// The source's word.
    public var rawValue: String
    /// Creates a value from the source's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The fall was seen, and the meteorite was collected.
    public static var fell: Self { Self(rawValue: "Fell") }
    /// The meteorite was found later.
    public static var found: Self { Self(rawValue: "Found") }
    /// The source doesn't say.
    public static var unknown: Self { Self(rawValue: "") }
  }

  /// A value that indicates whether an object is still a meteorite.
  public struct NameType: RawRepresentable, Hashable, Sendable, Codable {
    /// The source's word.
    public var rawValue: String
    /// Creates a value from the source's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The object is a meteorite.
    public static var valid: Self { Self(rawValue: "Valid") }
    /// The object was so altered by weathering on Earth that it is no longer a meteorite.
    public static var relict: Self { Self(rawValue: "Relict") }
  }
}

extension Meteorite {
  /// The fields of a meteorite, each described at the ``Meteorite`` property of the same name.
  ///
  /// The ID and the numbers come first, so that the most frequently read fields share the first
  /// cache line with the reference count.
  @usableFromInline
  struct Fields: Hashable, Sendable, Codable {
    @usableFromInline var id: ID
    @usableFromInline var massInGrams: Double?
    @usableFromInline var year: Year?
    @usableFromInline var coordinate: Coordinate?
    @usableFromInline var name: String
    @usableFromInline var classification: Classification
    @usableFromInline var fall: Fall
    @usableFromInline var nameType: NameType
    @usableFromInline var unreadable: [String: String]
  }
}

// MARK: - Year

extension Meteorite {
  /// The year of a fall or find, in the proleptic Gregorian calendar.
  public struct Year: RawRepresentable, Hashable, Comparable, Sendable, Codable {
    /// The number of the year.
    public var rawValue: Int
    /// Creates a year from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Creates a year from its number.
    public init(_ number: Int) { rawValue = number }

    /// Returns the plausibility of the year, as seen from `currentYear`.
    ///
    /// The source contains one future year, 2101 for Northwest Africa 7701. Older copies contain
    /// 2501 for a find of 2501 BCE that had lost its sign.
    public func validity(currentYear: Int) -> Validity {
      if rawValue > currentYear { return .future }
      return rawValue < 1 ? .beforeOurEra : .plausible
    }

    /// Returns a Boolean value that indicates whether the left year is earlier.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The plausibility of a year.
    public enum Validity: String, Hashable, Sendable, Codable, CaseIterable {
      /// The year is plausible.
      case plausible
      /// The year is in the future, which is impossible for a find.
      case future
      /// The year is 0 or less, which the source's files can't represent reliably.
      case beforeOurEra
    }
  }
}

extension Meteorite.Year: ExpressibleByIntegerLiteral {
  /// Creates a year from its number.
  public init(integerLiteral value: Int) { rawValue = value }
}

extension Meteorite.Year: CustomStringConvertible {
  /// The number of the year.
  public var description: String { String(rawValue) }
}

// MARK: - Position

extension Meteorite {
  /// The reason why the position is missing or implausible; `nil` if it is plausible.
  ///
  /// Of the 38,401 positions in NASA's table, 6,214 are 0/0, a placeholder for "unknown", and one,
  /// Meridiani Planum, is on Mars.
  public var positionIssue: PositionIssue? {
    guard let coordinate else {
      return unreadable[MeteoriteColumn.position] == nil ? .missing : .unreadable
    }
    if coordinate.latitude == 0 && coordinate.longitude == 0 { return .zeroPlaceholder }
    if coordinate.longitude > 180 { return .longitudeOutOfRange }
    return nil
  }

  /// A Boolean value that indicates whether the position is known and plausible.
  public var hasPlausiblePosition: Bool { coordinate?.isPlausible ?? false }

  /// A reason why a position is missing or implausible.
  public struct PositionIssue: RawRepresentable, Hashable, Sendable, Codable {
    /// The name of the reason.
    public var rawValue: String
    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The source gives no position.
    public static var missing: Self { Self(rawValue: "missing") }
    /// The source's value isn't a position on a globe; see ``Meteorite/unreadable``.
    public static var unreadable: Self { Self(rawValue: "unreadable") }
    /// The source gives 0/0, its placeholder for "unknown".
    public static var zeroPlaceholder: Self { Self(rawValue: "zeroPlaceholder") }
    /// The longitude is greater than 180°, as on maps of other planets.
    public static var longitudeOutOfRange: Self { Self(rawValue: "longitudeOutOfRange") }
  }
}

// MARK: - Map

extension Meteorite {
  /// A map pin for one meteorite, and the region around it.
  public struct MapPin: Identifiable, Hashable, Sendable, Codable {
    /// The meteorite's ID.
    public var id: ID
    /// The location of the pin.
    public var coordinate: Coordinate
    /// The meteorite's name.
    public var title: String
    /// The meteorite's class.
    public var subtitle: String
    /// The region to show.
    public var region: GeoBox

    /// Creates a pin.
    public init(id: ID, coordinate: Coordinate, title: String, subtitle: String, region: GeoBox) {
      self.id = id
      self.coordinate = coordinate
      self.title = title
      self.subtitle = subtitle
      self.region = region
    }
  }

  /// Returns a map pin and its region, or `nil` if the meteorite has no plausible position.
  ///
  /// - Parameter spanDegrees: The height and width of the region, in degrees. Defaults to 10.
  public func mapPin(spanDegrees: Double = 10) throws -> MapPin? {
    guard hasPlausiblePosition, let coordinate else { return nil }
    return MapPin(
      id: id, coordinate: coordinate,
      title: MeteoriteTexts.name(of: self).string(),
      subtitle: classification.name,
      region: try GeoBox(center: coordinate, latitudeSpan: spanDegrees, longitudeSpan: spanDegrees))
  }
}
