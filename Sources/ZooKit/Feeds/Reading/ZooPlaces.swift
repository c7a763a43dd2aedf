internal import FieldCore

struct ZooPlaces: Equatable {
  private(set) var places: [Coordinate] = []
  private(set) var issue: ZooPositionIssue?

  init(issue: ZooPositionIssue?) { self.issue = issue }

  /// Creates places from pairs of longitude and latitude.
  init(of pairs: [(x: Double, y: Double)]) { for pair in pairs { add(pair.x, pair.y) } }

  /// Records an issue of the places. The unreadable issue takes precedence because something is
  /// then missing; with the other issues, all places are present.
  mutating func note(_ found: ZooPositionIssue) {
    if issue == nil || found == .unreadable || found == .outsideZoo && issue == .swapped {
      issue = found
    }
  }

  private mutating func add(_ longitude: Double, _ latitude: Double) {
    let asGiven = Coordinate(validLatitude: latitude, longitude: longitude)
    if let asGiven, Self.zoo(asGiven) { return append(asGiven) }
    if let turned = Coordinate(validLatitude: longitude, longitude: latitude),
      Self.zoo(turned) || asGiven == nil
    {
      append(turned)
      return note(Self.zoo(turned) ? .swapped : .outsideZoo)
    }
    guard let asGiven else { return note(.unreadable) }
    append(asGiven)
    note(.outsideZoo)
  }

  private mutating func append(_ place: Coordinate) {
    if !places.contains(place) { places.append(place) }
  }

  /// Returns whether a place is in the zoo or on the hills around it. All 700 places in the data
  /// are between 121.574 and 121.592 east, and 24.992 and 25.000 north.
  private static func zoo(_ place: Coordinate) -> Bool {
    (121.55...121.60).contains(place.longitude) && (24.98...25.01).contains(place.latitude)
  }
}
