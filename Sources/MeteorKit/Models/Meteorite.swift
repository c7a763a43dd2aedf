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
