/// A type that saves finished walks: the diary.
protocol WalkSaving: Sendable {
  /// Stores the photos and the route, and then commits the walk.
  ///
  /// When the method returns, everything is synced to the device. It is called again for the same
  /// walk if it threw, or if the app quit before the recorder learned of its success. A walk with
  /// an ID that already exists isn't stored twice.
  ///
  /// - Returns: The walk as it is stored.
  func save(_ finished: FinishedWalk) async throws -> Walk

  /// Throws unless all of these pets may go on a walk.
  func admit(_ pets: [Pet.ID]) async throws

  /// Returns the stored walk with an ID, or `nil` if there is none.
  func savedWalk(_ id: Walk.ID) async throws -> Walk?

  /// Returns the stored walk with an ID, once it is synced to the device, or `nil` if there is none.
  ///
  /// The recording of such a walk can be removed.
  func durableWalk(_ id: Walk.ID) async throws -> Walk?
}
