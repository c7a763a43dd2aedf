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
    admits(meteorite, classification: meteorite.classification)
  }

  @inline(__always)
  private func admits(
    _ meteorite: some MeteoriteValues,
    classification: @autoclosure () throws -> Meteorite.Classification
  ) rethrows -> Bool {
    if let fall = query.fall, meteorite.fall != fall { return false }
    if let nameType = query.nameType, meteorite.nameType != nameType { return false }
    if let years = query.years {
      guard let year = meteorite.year, years.contains(year.rawValue) else { return false }
    }
    if let masses = query.massInGrams {
      guard let mass = meteorite.massInGrams, masses.contains(mass) else { return false }
    }
    if let classNames, try !classNames.contains(classification().name) { return false }
    if let groups = query.groups, try !groups.contains(classification().group) { return false }
    if query.plausibleOnly, meteorite.coordinate?.isPlausible != true { return false }
    return true
  }

  /// Reads a meteorite's values from its stored form and returns them if it meets all conditions except those on
  /// text and place.
  func admitted(reading reader: inout RecordReader) throws -> MeteoriteOutline? {
    let outline = try MeteoriteOutline(reading: &reader)
    let isAdmitted = admits(
      outline,
      classification: Meteorite.Classification(rawValue: reader.strings[Int(outline.classIndex)]))
    return isAdmitted ? outline : nil
  }

  /// Returns whether the meteorite meets all conditions.
  func admitsFully(_ meteorite: Meteorite) -> Bool {
    admits(meteorite) && admitsPlace(meteorite) && admitsText(meteorite)
  }

  /// Returns whether the meteorite's folded name contains the query's text.
  func admitsText(_ meteorite: Meteorite) -> Bool {
    guard let foldedText, !foldedText.isEmpty else { return true }
    return TextFolding.fold(meteorite.name).contains(foldedText)
  }

  /// Returns whether the meteorite's position lies in the box and the circle.
  func admitsPlace(_ meteorite: Meteorite) -> Bool {
    guard admitsBox(meteorite) else { return false }
    guard let circle = query.circle else { return true }
    guard let coordinate = meteorite.coordinate else { return false }
    // Compare the numbers: `<=` of a `Comparable` type treats anything as less than a NaN radius.
    return coordinate.distance(to: circle.center).meters <= circle.radius.meters
  }

  /// Returns whether the meteorite's position lies in the box.
  func admitsBox(_ meteorite: Meteorite) -> Bool {
    guard let box = query.box else { return true }
    guard let coordinate = meteorite.coordinate else { return false }
    return box.contains(coordinate)
  }
}
