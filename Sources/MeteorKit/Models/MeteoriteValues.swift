internal import FieldCore

/// The values of a meteorite that queries sort by, apart from its name.
protocol MeteoriteSortKey {
  var id: Meteorite.ID { get }
  var massInGrams: Double? { get }
  var year: Meteorite.Year? { get }
}

extension Meteorite: MeteoriteSortKey {}

extension MeteoriteSortKey {
  /// The mass by which meteorites are ordered.
  var orderedMass: Double? { massInGrams?.inOrder }
}

extension Double {
  /// A number with a place in the order. What is none (NaN) counts as infinity, because no bound from below excludes it.
  var inOrder: Double { isNaN ? .infinity : self }
}

/// The values of a meteorite in a store, read without creating it.
///
/// It consists of numbers, and texts are made from the reader's bytes and strings on demand, so that copies have no
/// references to count.
struct MeteoriteOutline {
  var flags: Meteorite.Flags
  var massInGrams: Double?
  var year: Meteorite.Year?
  var coordinate: Coordinate?
  /// The number that is the ID, if it is one.
  var number: UInt64
  /// The position of the ID among the reader's bytes, if it is a text.
  var idRange: Range<Int>
  /// The position of the name among the reader's bytes.
  var nameRange: Range<Int>
  /// The position of the class among the reader's strings.
  var classIndex: UInt64
  /// The positions of the words for the fall and for the type of the name, unless the flags tell them.
  var fallIndex: UInt64
  var nameTypeIndex: UInt64
}

/// The values to sort the meteorite in a slot by.
struct MeteoriteKey: MeteoriteSortKey {
  let slot: Int32
  let id: Meteorite.ID
  let massInGrams: Double?
  let year: Meteorite.Year?
}

extension Coordinate {
  /// A Boolean value that indicates whether the source's position isn't known to be wrong.
  var isPlausible: Bool { longitude <= 180 && (latitude != 0 || longitude != 0) }
}

/// The size of a meteorite, in the three classes of the old app's map.
public enum MeteoriteSizeClass: String, Hashable, Sendable, Codable, CaseIterable {
  /// 10 kg or more.
  case big
  /// At least 1 kg, but less than 10 kg.
  case small
  /// Less than 1 kg, or unknown.
  case other

  /// Creates the class of a mass in grams, or of an unknown mass if `nil`.
  public init(massInGrams: Double?) {
    self = Self.allCases.first { massInGrams ?? 0 >= $0.leastMassInGrams ?? 0 } ?? .other
  }

  /// The minimum mass of the class, in grams, inclusive; `nil` for ``other``.
  public var leastMassInGrams: Double? {
    switch self {
    case .big: 10_000
    case .small: 1_000
    case .other: nil
    }
  }
}

extension Meteorite {
  /// The meteorite's size class.
  public var sizeClass: MeteoriteSizeClass { MeteoriteSizeClass(massInGrams: massInGrams) }
}
