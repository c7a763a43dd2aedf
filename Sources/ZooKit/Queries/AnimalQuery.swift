public import FieldCore

/// What animals to find, and in which order.
///
/// ```swift
/// AnimalQuery(text: "熊貓")                                   // in all names and languages
/// AnimalQuery(classes: [.birds], statuses: [.endangered], hasPicture: true)
/// AnimalQuery(circle: .init(center: here, radius: .meters(200)), order: .distance)
/// ```
public struct AnimalQuery: Hashable, Sendable, Codable {
  /// Words that all have to be somewhere in the names: Chinese, English, scientific and alternative
  /// ones, without regard to case, diacritics, width, and forms such as 臺 and 台. Blank is no condition.
  public var text: String?
  /// The classes, any of which will do.
  public var classes: Set<AnimalClass>?
  /// The statuses of the Red List, any of which will do.
  public var statuses: Set<ConservationStatus>?
  /// The categories of protection in Taiwan, any of which will do.
  public var protections: Set<ProtectionCategory>?
  /// Whether it has to live in Taiwan alone, as a species or a subspecies.
  public var endemicOnly: Bool
  /// The area in which it has to be shown.
  public var area: ZooArea.ID?
  /// Whether it has to have a picture, or none; nil for either.
  public var hasPicture: Bool?
  /// Whether it has to have a place, or none; nil for either.
  public var hasCoordinate: Bool?
  /// A circle in which one of its places has to lie.
  public var circle: Circle?
  /// The order of the results.
  public var order: Order
  /// How many results at the most; nil for all.
  public var limit: Int?
  /// How many results to leave out at the beginning.
  public var offset: Int

  /// Makes a query; conditions that are not given are not set.
  public init(
    text: String? = nil, classes: Set<AnimalClass>? = nil,
    statuses: Set<ConservationStatus>? = nil, protections: Set<ProtectionCategory>? = nil,
    endemicOnly: Bool = false, area: ZooArea.ID? = nil, hasPicture: Bool? = nil,
    hasCoordinate: Bool? = nil, circle: Circle? = nil, order: Order = .source,
    limit: Int? = nil, offset: Int = 0
  ) {
    self.text = text
    self.classes = classes
    self.statuses = statuses
    self.protections = protections
    self.endemicOnly = endemicOnly
    self.area = area
    self.hasPicture = hasPicture
    self.hasCoordinate = hasCoordinate
    self.circle = circle
    self.order = order
    self.limit = limit
    self.offset = offset
  }

  /// A circle on the ground.
  public typealias Circle = GeoCircle

  /// An order of results; ties are in the order of the source.
  public struct Order: RawRepresentable, Hashable, Sendable, Codable {
    /// The name of the order.
    public var rawValue: String
    /// Makes an order from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// As in the source.
    public static var source: Self { Self(rawValue: "source") }
    /// By the Chinese name, sign by sign as Unicode has them.
    public static var name: Self { Self(rawValue: "name") }
    /// By the English name without regard to case; animals without one are last.
    public static var englishName: Self { Self(rawValue: "englishName") }
    /// The most threatened first, animals without a status last.
    public static var mostThreatened: Self { Self(rawValue: "mostThreatened") }
    /// The nearest to the middle of the query's circle first; as in the source without a circle.
    public static var distance: Self { Self(rawValue: "distance") }
  }
}
