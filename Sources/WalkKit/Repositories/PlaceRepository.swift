/// Where a diary keeps its places.
///
/// What a call changes is changed whole or not at all. Throw `FieldError`; what else is thrown becomes
/// the `underlying` error of one.
public protocol PlaceRepository: Sendable {
  /// All places by their names, and by their ids where those are equal.
  func places() async throws -> [Place]

  /// Adds a place, or replaces the one of its id. A home takes the place of another home, which is
  /// removed in the same step.
  func save(_ place: Place) async throws

  /// Removes a place; walks to it keep it as it was.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  func remove(_ id: Place.ID) async throws -> Bool
}
