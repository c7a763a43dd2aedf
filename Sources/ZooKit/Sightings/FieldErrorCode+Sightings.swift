public import FieldCore

extension FieldError.Code {
  /// A sighting cannot be stored as it was given: the name or the photo is missing, too large, or no
  /// photo. `problems` says what is wrong, and `sightingProblems` of the error in values.
  public static var sightingRefused: Self {
    Self(rawValue: "zoo.sightingRefused") { ZooGuidance.table }
  }
  /// There is no sighting of this id, or there is none any more.
  public static var sightingNotFound: Self {
    Self(rawValue: "zoo.sightingNotFound") { ZooGuidance.table }
  }
  /// What is stored of a sighting is lost or damaged; the other sightings are there.
  public static var sightingDamaged: Self {
    Self(rawValue: "zoo.sightingDamaged") { ZooGuidance.table }
  }
}
