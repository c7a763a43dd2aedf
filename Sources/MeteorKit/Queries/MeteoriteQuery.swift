public import FieldCore

/// The conditions that meteorites must meet, and the order of the results.
///
/// All conditions must hold. A query without conditions matches every meteorite.
///
/// ```swift
/// MeteoriteQuery(fall: .fell, years: 2011..., order: .massDescending)
/// MeteoriteQuery(groups: [.iron], massInGrams: 1_000_000..., plausibleOnly: true)
/// MeteoriteQuery(text: "osterplana")                     // finds Österplana 009
/// ```
public struct MeteoriteQuery: Hashable, Sendable, Codable {
  /// The required kind of fall.
  public var fall: Meteorite.Fall?
  /// The required name type.
  public var nameType: Meteorite.NameType?
  /// The classes to match, any of which suffices; surrounding blanks are ignored.
  public var classes: Set<Meteorite.Classification>?
  /// The groups of classes to match, any of which suffices.
  public var groups: Set<Meteorite.ClassGroup>?
  /// The range of masses, in grams, which excludes meteorites without a mass if set.
  public var massInGrams: ValueRange<Double>?
  /// The range of years, which excludes meteorites without a year if set.
  public var years: ValueRange<Int>?
  /// The text that the name must contain, ignoring case, diacritics, and width.
  public var text: String?
  /// The box in which the position must lie.
  public var box: GeoBox?
  /// The circle in which the position must lie.
  public var circle: Circle?
  /// A Boolean value that indicates whether missing and implausible positions are excluded.
  public var plausibleOnly: Bool
  /// The order of the results.
  public var order: Order
  /// The maximum number of results; `nil` for all.
  public var limit: Int?
  /// The number of results to skip.
  public var offset: Int

  /// Creates a query; omitted conditions match everything.
  public init(
    fall: Meteorite.Fall? = nil,
    nameType: Meteorite.NameType? = nil,
    classes: Set<Meteorite.Classification>? = nil,
    groups: Set<Meteorite.ClassGroup>? = nil,
    massInGrams: (any ValueRangeConvertible<Double>)? = nil,
    years: (any ValueRangeConvertible<Int>)? = nil,
    text: String? = nil,
    box: GeoBox? = nil,
    circle: Circle? = nil,
    plausibleOnly: Bool = false,
    order: Order = .source,
    limit: Int? = nil,
    offset: Int = 0
  ) {
    self.fall = fall
    self.nameType = nameType
    self.classes = classes
    self.groups = groups
    self.massInGrams = massInGrams?.valueRange
    self.years = years?.valueRange
    self.text = text
    self.box = box
    self.circle = circle
    self.plausibleOnly = plausibleOnly
    self.order = order
    self.limit = limit
    self.offset = offset
  }

  /// A circle on the globe.
  public typealias Circle = GeoCircle

  /// An order of results, with ties in the order of their IDs.
  public struct Order: RawRepresentable, Hashable, Sendable, Codable {
    /// The name of the order.
    public var rawValue: String
    /// Creates an order from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The order of the source.
    public static var source: Self { Self(rawValue: "source") }
    /// Heaviest first; meteorites without a mass are last.
    public static var massDescending: Self { Self(rawValue: "massDescending") }
    /// Lightest first; meteorites without a mass are last.
    public static var massAscending: Self { Self(rawValue: "massAscending") }
    /// Newest first; meteorites without a year are last.
    public static var yearDescending: Self { Self(rawValue: "yearDescending") }
    /// Oldest first; meteorites without a year are last.
    public static var yearAscending: Self { Self(rawValue: "yearAscending") }
    /// Alphabetical by name, ignoring case and diacritics.
    public static var name: Self { Self(rawValue: "name") }
    /// Ascending by ID.
    public static var id: Self { Self(rawValue: "id") }
  }
}
