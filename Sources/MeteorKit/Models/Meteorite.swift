public import FieldCore
public import FieldFoundation

/// A meteorite, as NASA's table of the Meteoritical Society lists it.
///
/// What the source does not say is nil; what it says and cannot be read is nil too, with its text in
/// ``unreadable``; what it says and cannot be true is kept, and told by ``positionIssue`` and
/// ``Year/validity(currentYear:)``.
///
/// It is a value like any other, and as small as a reference: its fields are held together, apart, and
/// copied when one of them is changed. There are tens of thousands of them, and they are looked up,
/// sorted and handed around far more often than changed. Its getters are inlined where they are called.
///
/// Source: NASA Open Data, "Meteorite Landings" (`gh4g-9sfh`).
public struct Meteorite: Identifiable, Sendable {
  @usableFromInline
  final class Box: Sendable {
    @usableFromInline
    let fields: Fields
    init(_ fields: consuming Fields) { self.fields = fields }
  }

  @usableFromInline
  var box: Box

  init(_ fields: consuming Fields) { box = Box(fields) }

  /// All fields at once.
  var fields: Fields {
    get { box.fields }
    set { box = Box(newValue) }
  }

  /// The code of the Meteoritical Bulletin, which all files of the dataset share.
  public var id: ID {
    @inlinable get { box.fields.id }
    set { fields.id = newValue }
  }

  /// The name as the source has it, with its diacritics and trailing blanks; empty when it has none.
  public var name: String {
    @inlinable get { box.fields.name }
    set { fields.name = newValue }
  }

  /// The class, such as `L6` or `Iron, IIIAB`, with its ``Classification/group``.
  public var classification: Classification {
    @inlinable get { box.fields.classification }
    set { fields.classification = newValue }
  }

  /// The mass in grams; 0 is a real value of the source (some relicts), nil is "not known".
  public var massInGrams: Double? {
    @inlinable get { box.fields.massInGrams }
    set { fields.massInGrams = newValue }
  }

  /// Whether it was seen to fall.
  public var fall: Fall {
    @inlinable get { box.fields.fall }
    set { fields.fall = newValue }
  }

  /// Whether it is a meteorite still, or what weathering has left of one.
  public var nameType: NameType {
    @inlinable get { box.fields.nameType }
    set { fields.nameType = newValue }
  }

  /// The year of the fall, or of the find.
  public var year: Year? {
    @inlinable get { box.fields.year }
    set { fields.year = newValue }
  }

  /// Where it fell or was found, as the source gives it; ``positionIssue`` tells whether that can be.
  public var coordinate: Coordinate? {
    @inlinable get { box.fields.coordinate }
    set { fields.coordinate = newValue }
  }

  /// The texts of those columns that hold something that cannot be read, by the column's usual name.
  public var unreadable: [String: String] {
    @inlinable get { box.fields.unreadable }
    set { fields.unreadable = newValue }
  }

  /// Makes a meteorite.
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
        massInGrams: massInGrams, year: year, coordinate: coordinate, id: id, name: name,
        classification: classification, fall: fall, nameType: nameType, unreadable: unreadable))
  }

  /// The page of the Meteoritical Bulletin Database on this meteorite.
  public var bulletinURL: URL? {
    URL(string: "https://www.lpi.usra.edu/meteor/metbull.php")?
      .appending(queryItems: [URLQueryItem(name: "code", value: id.rawValue)])
  }
}

extension Meteorite: Hashable {
  /// Whether all fields are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.fields == right.fields
  }

  /// Hashes all fields.
  public func hash(into hasher: inout Hasher) { fields.hash(into: &hasher) }
}

extension Meteorite: Codable {
  /// Reads the fields by their names.
  public init(from decoder: any Decoder) throws { self.init(try Fields(from: decoder)) }

  /// Writes the fields by their names.
  public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
}

extension Meteorite: CustomStringConvertible {
  /// The name, the ID, and the class, such as `Aachen (1), L5`.
  public var description: String { "\(name) (\(id)), \(classification)".printable }
}
