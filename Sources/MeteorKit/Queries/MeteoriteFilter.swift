internal import FieldCore

/// A query that is prepared for testing many meteorites: everything reusable is computed once.
///
/// Conditions that an index has already evaluated (text, box, circle) aren't tested again.
struct MeteoriteFilter {
  private let query: MeteoriteQuery
  private let classNames: Set<String>?
  private let foldedText: String?
  /// A Boolean value that indicates whether every meteorite meets the conditions that
  /// ``admits(_:)`` tests.
  let admitsAll: Bool

  init(_ query: MeteoriteQuery) {
    self.query = query
    classNames = query.classes.map { Set($0.map(\.name)) }
    foldedText = query.text.map(Self.fold)
    admitsAll =
      query.fall == nil && query.nameType == nil && query.years == nil && query.massInGrams == nil
      && query.classes == nil && query.groups == nil && !query.plausibleOnly
  }

  /// Returns the text of a query in the form in which names are searched.
  static func fold(_ text: String) -> String {
    TextFolding.fold(text.trimmingBlanks)
  }

  /// Returns whether the meteorite meets all conditions except those on text and place.
  func admits(_ meteorite: Meteorite) -> Bool {
    admits(
      meteorite.massInGrams, meteorite.year, meteorite.coordinate, fall: meteorite.fall,
      nameType: meteorite.nameType, classification: meteorite.classification)
  }

  @inline(__always)
  private func admits(
    _ mass: Double?, _ year: Meteorite.Year?, _ coordinate: Coordinate?,
    fall: @autoclosure () -> Meteorite.Fall, nameType: @autoclosure () -> Meteorite.NameType,
    classification: @autoclosure () -> Meteorite.Classification
  ) -> Bool {
    if let wanted = query.fall, fall() != wanted { return false }
    if let wanted = query.nameType, nameType() != wanted { return false }
    if let years = query.years {
      guard let year, years.contains(year.rawValue) else { return false }
    }
    if let masses = query.massInGrams {
      guard let mass, masses.contains(mass) else { return false }
    }
    if let classNames, !classNames.contains(classification().name) { return false }
    if let groups = query.groups, !groups.contains(classification().group) { return false }
    if query.plausibleOnly, coordinate?.isPlausible != true { return false }
    return true
  }

  /// Reads a meteorite's values from its stored form and returns them if it meets all conditions except those on
  /// text and place.
  @inline(__always)
  func admitted(reading reader: inout RecordReader) throws -> MeteoriteOutline? {
    let outline = try MeteoriteOutline(reading: &reader)
    let isAdmitted = admits(
      outline.massInGrams, outline.year, outline.coordinate, fall: outline.fall(in: reader),
      nameType: outline.nameType(in: reader), classification: outline.classification(in: reader))
    return isAdmitted ? outline : nil
  }

  /// Returns whether the meteorite meets all conditions.
  func admitsFully(_ meteorite: Meteorite) -> Bool {
    admits(meteorite) && admitsPlace(meteorite) && admitsText(meteorite)
  }

  /// Returns whether the meteorite's folded name contains the query's text.
  func admitsText(_ meteorite: Meteorite) -> Bool {
    guard let foldedText, !foldedText.isEmpty else { return true }
    return TextFolding.contains(foldedText, in: meteorite.name)
  }

  /// Returns whether the meteorite's position lies in the box and the circle.
  func admitsPlace(_ meteorite: Meteorite) -> Bool {
    guard admitsBox(meteorite) else { return false }
    guard let circle = query.circle else { return true }
    guard let coordinate = meteorite.coordinate else { return false }
    // Compare the numbers: `<=` of a `Comparable` type treats anything as less than a NaN radius.
    return coordinate.distance(to: circle.center).meters <= circle.radius.meters
  }

  func admitsBox(_ meteorite: Meteorite) -> Bool {
    guard let box = query.box else { return true }
    guard let coordinate = meteorite.coordinate else { return false }
    return box.contains(coordinate)
  }
}
