public import FieldCore

extension FieldError.Code {
  // MARK: Tables

  /// The table has no usable rows, although it has had dozens since 2015.
  public static var zooEmptyTable: Self { guided("zoo.emptyTable") }
  /// The file's columns match no zoo table, or they match a table other than the requested one.
  public static var zooUnknownTable: Self { guided("zoo.unknownTable") }
  /// The source doesn't have the requested table.
  public static var zooNoSuchTable: Self { guided("zoo.noSuchTable") }

  // MARK: Sightings

  /// A sighting was rejected because its name or photo is missing, too large, or invalid.
  ///
  /// The error's `problems` describe why, and its `sightingProblems` contain the same as values.
  public static var sightingRefused: Self { guided("zoo.sightingRefused") }
  /// No sighting has this ID, or it was removed.
  public static var sightingNotFound: Self { guided("zoo.sightingNotFound") }
  /// The stored record or photo of a sighting is lost or damaged; other sightings aren't affected.
  public static var sightingDamaged: Self { guided("zoo.sightingDamaged") }

  // MARK: Pictures

  /// The animal has no picture with that number, or none with a usable URL.
  public static var pictureMissing: Self { guided("zoo.pictureMissing") }

  private static func guided(_ rawValue: String) -> Self {
    Self(rawValue: rawValue) { ZooGuidance.table }
  }
}
