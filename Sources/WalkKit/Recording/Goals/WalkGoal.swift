/// The goal of a walk: a place, or a choice of one.
///
/// ```swift
/// let walk = try await diary.start(pets: [pet.id], goal: .nearest(of: diary.places()))
/// ```
///
/// A choice from no places is no goal, never a place at 0, 0.
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

  /// Returns a goal at the given place.
  public static func place(_ place: Place) -> WalkGoal { WalkGoal(choice: .place(place)) }

  /// Returns a goal at the place closest to the start, which the first good fix determines.
  ///
  /// If two places are equally close, it is the first of them.
  public static func nearest(of places: [Place]) -> WalkGoal { WalkGoal(choice: .nearest(places)) }

  /// Returns a goal at a random one of the places, chosen at the start.
  public static func random(of places: [Place]) -> WalkGoal { WalkGoal(choice: .random(places)) }
}
