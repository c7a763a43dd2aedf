public import FieldPortals

/// The columns of a dataset of meteorites on a Socrata portal, by their content.
///
/// The defaults are the field names of NASA's "Meteorite Landings"; another portal's copy of the
/// table may use other names. Compiled queries rely on these facts about that table (45,716 rows):
///
/// - `fall` and `nametype` each hold one of two words, without surrounding blanks.
/// - `recclass` holds a class, with a trailing blank in 118 rows.
/// - `mass` is a number of any precision, which Swift stores as a `Double`.
/// - `year` is a floating timestamp with a four-digit year.
/// - `geolocation` is the location in the text columns `reclat` and `reclong`, to 0.00001°, with
///   its longitude as given (including 354.47333). Those two columns are never compared.
public struct MeteoriteColumns: Hashable, Sendable {
  /// The text column of the class.
  public var classification: SoQL.Column
  /// The number column of the mass, in grams.
  public var mass: SoQL.Column
  /// The text column that holds `Fell` or `Found`.
  public var fall: SoQL.Column
  /// The text column that holds `Valid` or `Relict`.
  public var nameType: SoQL.Column
  /// The floating-timestamp column of the year.
  public var year: SoQL.Column
  /// The column of the location; `nil` compares locations only on the device.
  ///
  /// The column's type is `location` or `point`; both work with the functions used here.
  public var position: SoQL.Column?

  /// Creates the columns of a dataset.
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
