/// A type that stores a diary's walks.
///
/// ``StoredWalks`` implements it over any record store. Test your own implementation with
/// `WalkBackendConformance` in `WalkTesting`.
///
/// ### How to implement it
///
/// - Order walks by their start, newest first, and by their IDs if they began at the same time, but
///   never by the order in which they were saved.
/// - Every pet on a stored walk must exist.
/// - Store a walk through `Codable`. Otherwise you lose its route, whose location isn't a public
///   property.
/// - Throw `FieldError`. Other errors become the `underlying` error of one.
public protocol WalkRepository: Sendable {
  /// Saves a walk once; if there already is a walk with its ID, that one is kept.
  ///
  /// - Returns: The stored walk.
  /// - Throws: `FieldError` with the code `walks.unknownPet` if a pet on the walk doesn't exist,
  ///   and `input.invalid` if one of its times isn't a number. In each case, nothing is stored.
  @discardableResult
  func save(_ walk: Walk) async throws -> Walk

  /// Returns the walk with an ID, or `nil` if there is none.
  func walk(_ id: Walk.ID) async throws -> Walk?

  /// Returns a page of walks.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the limit is less than 1 or the cursor
  ///   isn't valid.
  func walks(_ query: WalkQuery) async throws -> WalkPage

  /// Changes the current state of a walk, except for its ID, and returns it.
  ///
  /// - Parameters:
  ///   - id: The ID of the walk.
  ///   - change: A closure that may run several times, so it must have no other side effects.
  /// - Throws: `FieldError` with the code `walks.unknownWalk` or `walks.unknownPet`, and the errors
  ///   of `change`.
  @discardableResult
  func update(_ id: Walk.ID, _ change: @Sendable (inout Walk) throws -> Void) async throws -> Walk

  /// Removes a walk.
  ///
  /// - Returns: `true` if the walk existed.
  @discardableResult
  func remove(_ id: Walk.ID) async throws -> Bool
}
