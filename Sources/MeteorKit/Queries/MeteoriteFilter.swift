internal import FieldCore

/// A query made ready to test many meteorites: what can be worked out once is.
///
/// Text, box and circle are not tested here when an index has already answered them.
struct MeteoriteFilter {
  private let query: MeteoriteQuery
  private let classNames: Set<String>?
  private let foldedText: String?

  init(_ query: MeteoriteQuery) {
    self.query = query
    classNames = query.classes.map { Set($0.map(\.name)) }
    foldedText = query.text.map(Self.fold)
  }

  /// The text of a query as names are searched by it.
  static func fold(_ text: String) -> String {
    TextFolding.fold(text.trimmingBlanks)
  }

  /// Whether the meteorite meets all conditions but those on text and place.
  func admits(_ meteorite: Meteorite) -> Bool {
    if let fall = query.fall, meteorite.fall != fall { return false }
    if let nameType = query.nameType, meteorite.nameType != nameType { return false }
    if let years = query.years {
      guard let year = meteorite.year, years.contains(year.rawValue) else { return false }
    }
    if let masses = query.massInGrams {
      guard let mass = meteorite.massInGrams, masses.contains(mass) else { return false }
    }
    if let classNames, !classNames.contains(meteorite.classification.name) { return false }
    if let groups = query.groups, !groups.contains(meteorite.classification.group) { return false }
    if query.plausibleOnly, !meteorite.hasPlausiblePosition { return false }
    return true
  }

  /// Whether the meteorite's name has the text, folded.
  func admitsText(_ meteorite: Meteorite) -> Bool {
    guard let foldedText, !foldedText.isEmpty else { return true }
    return TextFolding.fold(meteorite.name).contains(foldedText)
  }

  /// Whether the meteorite's position lies in the box and in the circle.
  func admitsPlace(_ meteorite: Meteorite) -> Bool {
    guard admitsBox(meteorite) else { return false }
    guard let circle = query.circle else { return true }
    guard let coordinate = meteorite.coordinate else { return false }
    // By their numbers: `<=` of a `Comparable` type takes anything for less than a radius that is NaN.
    return coordinate.distance(to: circle.center).meters <= circle.radius.meters
  }

  /// Whether the meteorite's position lies in the box.
  func admitsBox(_ meteorite: Meteorite) -> Bool {
    guard let box = query.box else { return true }
    guard let coordinate = meteorite.coordinate else { return false }
    return box.contains(coordinate)
  }
}
