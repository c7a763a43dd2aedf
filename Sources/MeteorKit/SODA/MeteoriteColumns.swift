public import FieldPortals

/// The columns of a dataset of meteorites on a Socrata portal, by what they hold.
///
/// The defaults are the field names of NASA's "Meteorite Landings"; a portal that has another copy of
/// the table may name them otherwise. What is known of the columns of that table (45,716 rows), and
/// relied on when a query is compiled for it:
///
/// - `fall` and `nametype` hold one word of two each, without blanks around it;
/// - `recclass` holds a class that 118 rows have with a blank behind it;
/// - `mass` is a number of any precision, of which a Swift value keeps a `Double`;
/// - `year` is a floating timestamp, whose year has four digits;
/// - `geolocation` is the place that the texts `reclat` and `reclong` say, to 0.00001°, its longitude
///   as given, 354.47333 among them. Those two columns are texts and are never compared.
public struct MeteoriteColumns: Hashable, Sendable {
  /// The class, a text.
  public var classification: SoQL.Column
  /// The mass in grams, a number.
  public var mass: SoQL.Column
  /// `Fell` or `Found`.
  public var fall: SoQL.Column
  /// `Valid` or `Relict`.
  public var nameType: SoQL.Column
  /// The year, a floating timestamp.
  public var year: SoQL.Column
  /// The place, of type `location` or `point`, which the functions used here both take; nil when the
  /// dataset has none, so that places are compared on the device only.
  public var position: SoQL.Column?

  /// Makes the columns.
  public init(
    classification: SoQL.Column = "recclass",
    mass: SoQL.Column = "mass",
    fall: SoQL.Column = "fall",
    nameType: SoQL.Column = "nametype",
    year: SoQL.Column = "year",
    position: SoQL.Column? = "geolocation"
  ) {
    self.classification = classification
    self.mass = mass
    self.fall = fall
    self.nameType = nameType
    self.year = year
    self.position = position
  }
}
