/// Where a diary keeps its walks.
///
/// ``StoredWalks`` is the one over any record store. `WalkBackendConformance` of `FieldTesting` proves
/// one of your own.
///
/// ### How to implement it
///
/// - Walks are ordered by their start, the newest first, and by the texts of their ids where they began
///   at the same moment: never by the order in which they were saved.
/// - Every pet that a stored walk names is there.
/// - Keep a walk as it is `Codable`, or its route is lost: where that is has no property of its own.
/// - Throw `FieldError`; what else is thrown becomes the `underlying` error of one.
public protocol WalkRepository: Sendable {
  /// Saves a walk, once: when there is one of its id already, that one stays as it is.
  ///
  /// - Returns: The walk that is stored now.
  /// - Throws: `FieldError` with the code `unknownPet` when a pet of it is not there, `invalidInput` when
  ///   a time of it is no number; nothing is stored then.
  @discardableResult
  func save(_ walk: Walk) async throws -> Walk

  /// The walk of this id; nil when there is none.
  func walk(_ id: Walk.ID) async throws -> Walk?

  /// A page of walks.
  ///
  /// - Throws: `FieldError` with the code `invalidInput` when the limit is below 1, or the cursor is
  ///   none.
  func walks(_ query: WalkQuery) async throws -> WalkPage

  /// Changes a walk as it is at that moment, and returns it; its id stays.
  ///
  /// - Parameters:
  ///   - id: The walk's.
  ///   - change: It may run several times, so it must not do anything else.
  /// - Throws: `FieldError` with the code `unknownWalk` or `unknownPet`; what `change` throws.
  @discardableResult
  func update(
    _ id: Walk.ID, _ change: @Sendable (inout Walk) throws -> Void
  ) async throws -> Walk

  /// Removes a walk.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  func remove(_ id: Walk.ID) async throws -> Bool
}
