public import FieldCore

/// Which meteorites are wanted, and in which order.
///
/// All conditions must hold; a query without conditions finds everything.
///
/// ```swift
/// MeteoriteQuery(fall: .fell, years: 2011..., order: .massDescending)
/// MeteoriteQuery(groups: [.iron], massInGrams: 1_000_000..., plausibleOnly: true)
/// MeteoriteQuery(text: "osterplana")                     // finds Österplana 009
/// ```
public struct MeteoriteQuery: Hashable, Sendable, Codable {
  /// Whether the fall was seen.
  public var fall: Meteorite.Fall?
  /// Whether it is a meteorite still.
  public var nameType: Meteorite.NameType?
  /// The classes, any of which will do; blanks around a class do not count.
  public var classes: Set<Meteorite.Classification>?
  /// The groups of classes, any of which will do.
  public var groups: Set<Meteorite.ClassGroup>?
  /// The masses; meteorites without a mass are left out when this is set.
  public var massInGrams: ValueRange<Double>?
  /// The years; meteorites without a year are left out when this is set.
  public var years: ValueRange<Int>?
  /// A part of the name, without regard to case, diacritics and width.
  public var text: String?
  /// A box that the position lies in.
  public var box: GeoBox?
  /// A circle that the position lies in.
  public var circle: Circle?
  /// Whether positions that cannot be true are left out, and with them meteorites without one.
  public var plausibleOnly: Bool
  /// The order of the results.
  public var order: Order
  /// How many results at the most; nil for all.
  public var limit: Int?
  /// How many results to leave out at the beginning.
  public var offset: Int

  /// Makes a query; conditions that are not given are not set.
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

  /// The order of results; ties are in the order of their ids, so that every order is total.
  public struct Order: RawRepresentable, Hashable, Sendable, Codable {
    /// The name of the order.
    public var rawValue: String
    /// Makes an order from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// As in the source.
    public static var source: Self { Self(rawValue: "source") }
    /// The heaviest first, those without a mass last.
    public static var massDescending: Self { Self(rawValue: "massDescending") }
    /// The lightest first, those without a mass last.
    public static var massAscending: Self { Self(rawValue: "massAscending") }
    /// The newest first, those without a year last.
    public static var yearDescending: Self { Self(rawValue: "yearDescending") }
    /// The oldest first, those without a year last.
    public static var yearAscending: Self { Self(rawValue: "yearAscending") }
    /// By name, without regard to case and diacritics.
    public static var name: Self { Self(rawValue: "name") }
    /// By id.
    public static var id: Self { Self(rawValue: "id") }
  }
}
