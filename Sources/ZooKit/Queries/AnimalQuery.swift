public import FieldCore

/// The conditions that animals must meet, and the order of the results.
///
/// ```swift
/// AnimalQuery(text: "熊貓")                                   // in all names and languages
/// AnimalQuery(classes: [.birds], statuses: [.endangered], hasPicture: true)
/// AnimalQuery(circle: .init(center: here, radius: .meters(200)), order: .distance)
/// ```
public struct AnimalQuery: Hashable, Sendable, Codable {
  /// The words that the names must contain, all of them; blank text matches every animal.
  ///
  /// The search covers Chinese, English, scientific, and alternative names. It ignores case,
  /// diacritics, width, and variants such as 臺 and 台.
  public var text: String?
  /// The classes to match, any of which suffices.
  public var classes: Set<AnimalClass>?
  /// The Red List statuses to match, any of which suffices.
  public var statuses: Set<ConservationStatus>?
  /// The protection categories in Taiwan to match, any of which suffices.
  public var protections: Set<ProtectionCategory>?
  /// A Boolean value that indicates whether only species and subspecies endemic to Taiwan match.
  public var endemicOnly: Bool
  /// The area where the animal must be shown.
  public var area: ZooArea.ID?
  /// A Boolean value that indicates whether the animal must have a picture; `nil` for either.
  public var hasPicture: Bool?
  /// A Boolean value that indicates whether the animal must have a place; `nil` for either.
  public var hasCoordinate: Bool?
  /// The circle in which one of the animal's places must lie.
  public var circle: Circle?
  /// The order of the results.
  public var order: Order
  /// The maximum number of results; `nil` for all.
  public var limit: Int?
  /// The number of results to skip.
  public var offset: Int

  /// Creates a query; omitted conditions match everything.
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

  /// An order of results, with ties in source order.
  public struct Order: RawRepresentable, Hashable, Sendable, Codable {
    /// The name of the order.
    public var rawValue: String
    /// Creates an order from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The order of the source.
    public static var source: Self { Self(rawValue: "source") }
    /// By the Chinese name, character by character in Unicode order.
    public static var name: Self { Self(rawValue: "name") }
    /// By the English name, ignoring case; animals without one are last.
    public static var englishName: Self { Self(rawValue: "englishName") }
    /// Most threatened first; animals without a status are last.
    public static var mostThreatened: Self { Self(rawValue: "mostThreatened") }
    /// Nearest to the center of the query's circle first; source order if there is no circle.
    public static var distance: Self { Self(rawValue: "distance") }
  }

  /// Returns whether an animal meets the conditions that need no index.
  func admits(_ animal: Animal) -> Bool {
    if let classes, animal.animalClass.map(classes.contains) != true { return false }
    if let statuses, animal.conservation.map(statuses.contains) != true { return false }
    if let protections, animal.protection.map(protections.contains) != true { return false }
    if endemicOnly, animal.endemism == nil { return false }
    if let hasPicture, hasPicture != animal.pictures.contains(where: { $0.link != nil }) {
      return false
    }
    if let hasCoordinate, hasCoordinate == animal.places.isEmpty { return false }
    guard let circle else { return true }
    return animal.places.contains { circle.center.distance(to: $0) <= circle.radius }
  }

  /// Sorts positions, which are ascending, into the query's order.
  func sort(_ positions: [Int], of animals: [Animal]) -> [Int] {
    // Positions with equal keys stay ascending.
    func sorted<Key: Comparable>(by key: (Int) -> Key) -> [Int] {
      positions.map { (key($0), $0) }.sorted { $0 < $1 }.map(\.1)
    }
    switch order {
    case .name: return sorted { animals[$0].name }
    case .englishName:
      // A text that begins with the last scalar sorts after every name.
      return sorted { animals[$0].englishName.map(TextFolding.fold) ?? "\u{10FFFF}" }
    case .mostThreatened: return sorted { Self.rank(animals[$0].conservation) }
    case .distance:
      guard let center = circle?.center else { return positions }
      return sorted { position in
        animals[position].places.lazy.map { center.distance(to: $0) }.min() ?? .meters(.infinity)
      }
    default: return positions
    }
  }

  private static func rank(_ status: ConservationStatus?) -> Int {
    guard let status else { return ConservationStatus.known.count + 1 }
    return ConservationStatus.known.firstIndex(of: status) ?? ConservationStatus.known.count
  }
}
