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

extension MeteoriteQuery {
  /// Returns the matching meteorites in a sequence, applying the query's order, offset, and limit.
  ///
  /// The result is the same as that of ``MeteoriteView/find(_:)`` on a store with the same
  /// meteorites in the same order. The method tests every meteorite, which suits the rows of one
  /// response but is slow for repeated queries on the same rows.
  package func find(in meteorites: some Sequence<Meteorite>) -> [Meteorite] {
    let filter = MeteoriteFilter(self)
    return order.sorted(meteorites.filter(filter.admitsFully), upTo: end)
      .page(offset: offset, limit: limit)
  }

  /// The number of matches at the beginning that the limit and the offset leave to look at.
  var end: Int {
    guard let limit else { return .max }
    let (end, isTooLarge) = max(0, limit).addingReportingOverflow(max(0, offset))
    return isTooLarge ? .max : end
  }
}

// MARK: - Sorting

extension MeteoriteQuery.Order {
  /// Returns the first of the meteorites, which are in source order, in this order.
  func sorted(_ meteorites: [Meteorite], upTo count: Int) -> [Meteorite] {
    if self == .name {
      // Folding is expensive, so fold each name once instead of at every comparison.
      return
        meteorites
        .map { (name: TextFolding.fold($0.name), meteorite: $0) }
        .first(count) { ($0.name, $0.meteorite.id) < ($1.name, $1.meteorite.id) }
        .map(\.meteorite)
    }
    guard let precedes = comparison(of: Meteorite.self) else { return meteorites }
    return meteorites.first(count, sortedBy: precedes)
  }

  /// Returns the slots of the first of the meteorites that a filter admits, in this order, or `nil` if it is that of
  /// the source. Meteorites that haven't been decoded stay so.
  func first(
    _ count: Int, of snapshot: Snapshot<Meteorite>, _ filter: MeteoriteFilter
  ) -> [Int32]? {
    if self == .name {
      typealias Entry = (name: String, id: Meteorite.ID, slot: Int32)
      func precedes(_ left: Entry, _ right: Entry) -> Bool {
        (left.name, left.id) < (right.name, right.id)
      }
      var first = FirstElements<Entry>(count)
      snapshot.scan { slot, meteorite in
        if filter.admits(meteorite) {
          first.insert(
            (TextFolding.fold(meteorite.name), meteorite.id, Int32(slot)), by: precedes)
        }
        return true
      } stored: { slot, reader in
        if let outline = try filter.admitted(reading: &reader) {
          let name = TextFolding.fold(outline.name(in: reader))
          first.insert((name, outline.id(in: reader), Int32(slot)), by: precedes)
        }
        return true
      }
      return first.sorted(by: precedes).map(\.slot)
    }
    guard let precedes = comparison(of: MeteoriteKey.self) else { return nil }
    var first = FirstElements<MeteoriteKey>(count)
    // Nearly all are behind the last of the first, which comparing two numbers shows.
    let rank = rank
    var limit = Double.infinity
    func insert(
      _ slot: Int, _ mass: Double?, _ year: Meteorite.Year?, id: @autoclosure () -> Meteorite.ID
    ) {
      guard !(rank(mass, year) > limit) else { return }
      first.insert(
        MeteoriteKey(slot: Int32(slot), id: id(), massInGrams: mass, year: year), by: precedes)
      if let last = first.last { limit = rank(last.massInGrams, last.year) }
    }
    snapshot.scan { slot, meteorite in
      if filter.admits(meteorite) {
        insert(slot, meteorite.massInGrams, meteorite.year, id: meteorite.id)
      }
      return true
    } stored: { slot, reader in
      if let outline = try filter.admitted(reading: &reader) {
        insert(slot, outline.massInGrams, outline.year, id: outline.id(in: reader))
      }
      return true
    }
    return first.sorted(by: precedes).map(\.slot)
  }

  /// A function whose result is greater only for meteorites that come later in this order.
  private var rank: (Double?, Meteorite.Year?) -> Double {
    switch self {
    case .massDescending: { mass, _ in mass.map { -$0.inOrder } ?? .infinity }
    case .massAscending: { mass, _ in mass?.inOrder ?? .infinity }
    case .yearDescending: { _, year in year.map { -Double($0.rawValue) } ?? .infinity }
    case .yearAscending: { _, year in year.map { Double($0.rawValue) } ?? .infinity }
    default: { _, _ in 0 }
    }
  }

  /// Returns a closure that compares by this order, or `nil` if it is that of the source, or of names.
  private func comparison<Key: MeteoriteSortKey>(
    of: Key.Type
  ) -> ((Key, Key) -> Bool)? {
    switch self {
    case .massDescending: { Self.precedes($0, $1, by: { $0.orderedMass }, descending: true) }
    case .massAscending: { Self.precedes($0, $1, by: { $0.orderedMass }, descending: false) }
    case .yearDescending: { Self.precedes($0, $1, by: { $0.year }, descending: true) }
    case .yearAscending: { Self.precedes($0, $1, by: { $0.year }, descending: false) }
    case .id: { $0.id < $1.id }
    default: nil
    }
  }

  /// Compares by a value, with missing values last and ties ordered by ID.
  @inline(__always)
  private static func precedes<Key: MeteoriteSortKey, Value: Comparable>(
    _ left: Key, _ right: Key, by value: (Key) -> Value?, descending: Bool
  ) -> Bool {
    switch (value(left), value(right)) {
    case (let leftValue?, let rightValue?) where leftValue != rightValue:
      descending ? leftValue > rightValue : leftValue < rightValue
    case (.some, nil): true
    case (nil, .some): false
    default: left.id < right.id
    }
  }
}
