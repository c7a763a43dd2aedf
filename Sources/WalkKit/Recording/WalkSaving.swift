/// Keeps the walks that the recorder has finished: the diary.
package protocol WalkSaving: Sendable {
  /// Stores the photos, the route and the walk, the walk last and in one step; when it returns, all of
  /// it is on the device.
  ///
  /// It is called again for the same walk when it threw, and when the app ended before the recorder
  /// heard of its success: a walk of this id that is there already is not stored twice.
  ///
  /// - Returns: The walk as it is stored.
  func save(_ finished: FinishedWalk) async throws -> Walk

  /// Throws unless all of these pets may go on a walk.
  func admit(_ pets: [Pet.ID]) async throws

  /// The walk of this id when it is stored already; nil when it is not.
  func savedWalk(_ id: Walk.ID) async throws -> Walk?
}
