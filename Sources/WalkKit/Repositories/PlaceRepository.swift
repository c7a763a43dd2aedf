/// A type that stores a diary's places.
///
/// Make each change completely or not at all. Throw `FieldError`; other errors become the
/// `underlying` error of one.
public protocol PlaceRepository: Sendable {
  /// Returns all places, sorted by name and then by ID.
  func places() async throws -> [Place]

  /// Adds a place, or replaces the one with the same ID.
  ///
  /// Saving a home removes any other home in the same step.
  func save(_ place: Place) async throws

  /// Removes a place without affecting the walks that went there.
  ///
  /// - Returns: `true` if the place existed.
  @discardableResult
  func remove(_ id: Place.ID) async throws -> Bool
}
