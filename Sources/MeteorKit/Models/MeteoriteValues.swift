internal import FieldCore

/// The values of a meteorite that queries sort by, apart from its name.
protocol MeteoriteSortKey {
  var id: Meteorite.ID { get }
  var massInGrams: Double? { get }
  var year: Meteorite.Year? { get }
}

/// The values of a meteorite that queries test, apart from its texts.
protocol MeteoriteValues: MeteoriteSortKey {
  var coordinate: Coordinate? { get }
  var fall: Meteorite.Fall { get }
  var nameType: Meteorite.NameType { get }
}

extension Meteorite: MeteoriteValues {}

/// The values of a meteorite in a store, read without creating it.
struct MeteoriteOutline: MeteoriteValues {
  var id: Meteorite.ID
  var massInGrams: Double?
  var year: Meteorite.Year?
  var coordinate: Coordinate?
  var fall: Meteorite.Fall
  var nameType: Meteorite.NameType
  /// The position of the name among the reader's bytes.
  var nameRange: Range<Int>
  /// The position of the class among the reader's strings.
  var classIndex: UInt64

  /// Returns the name.
  func name(in reader: RecordReader) -> String {
    String(decoding: reader.bytes[nameRange], as: UTF8.self)
  }
}

/// The values to sort the meteorite in a slot by.
struct MeteoriteKey: MeteoriteSortKey {
  let slot: Int32
  let id: Meteorite.ID
  let massInGrams: Double?
  let year: Meteorite.Year?

  init(_ meteorite: some MeteoriteValues, slot: Int) {
    self.slot = Int32(slot)
    id = meteorite.id
    massInGrams = meteorite.massInGrams
    year = meteorite.year
  }
}

extension Coordinate {
  /// A Boolean value that indicates whether the source's position isn't known to be wrong.
  var isPlausible: Bool { longitude <= 180 && (latitude != 0 || longitude != 0) }
}
