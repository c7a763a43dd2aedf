public import FieldCore

extension FieldError.Code {
  /// A sighting was rejected because its name or photo is missing, too large, or invalid.
  ///
  /// The error's `problems` describe why, and its `sightingProblems` contain the same as values.
  public static var sightingRefused: Self {
    Self(rawValue: "zoo.sightingRefused") { ZooGuidance.table }
  }
  /// No sighting has this ID, or it was removed.
  public static var sightingNotFound: Self {
    Self(rawValue: "zoo.sightingNotFound") { ZooGuidance.table }
  }
  /// The stored record or photo of a sighting is lost or damaged; other sightings aren't affected.
  public static var sightingDamaged: Self {
    Self(rawValue: "zoo.sightingDamaged") { ZooGuidance.table }
  }
}
