internal import FieldCore

/// Where a walk is to lead: a place, or the choice of one.
///
/// ```swift
/// let walk = try await diary.start(pets: [pet.id], goal: .nearest(of: diary.places()))
/// ```
///
/// A choice among no places is no goal, and never a place at 0, 0.
public struct WalkGoal: Sendable, Hashable, Codable {
  enum Choice: Sendable, Hashable, Codable {
    case place(Place)
    case nearest([Place])
    case random([Place])

    private enum PlaceCodingKeys: String, CodingKey { case _0 = "place" }
    private enum NearestCodingKeys: String, CodingKey { case _0 = "places" }
    private enum RandomCodingKeys: String, CodingKey { case _0 = "places" }
  }

  let choice: Choice

  /// This place.
  public static func place(_ place: Place) -> WalkGoal { WalkGoal(choice: .place(place)) }

  /// The place that is nearest to where the walk begins; decided at the first good fix. Of two that are
  /// equally near, the first.
  public static func nearest(of places: [Place]) -> WalkGoal { WalkGoal(choice: .nearest(places)) }

  /// One of the places by chance; decided at the start.
  public static func random(of places: [Place]) -> WalkGoal { WalkGoal(choice: .random(places)) }
}
