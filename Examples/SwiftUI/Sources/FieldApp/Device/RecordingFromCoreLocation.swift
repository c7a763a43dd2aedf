#if canImport(CoreLocation) && os(iOS)
  import CoreLocation
  import FieldKit

  // Needs: NSLocationWhenInUseUsageDescription in Info.plist, and the background mode `location`, so that the
  // recording continues while the screen is off.

  /// Records a walk until the user ends it; `isOver` is asked at each location.
  ///
  /// From a view, call `recordWalk(of: pets, in: diary) { isEnded }` in a task, where `isEnded` is a state of the
  /// view, which belongs to the main actor.
  func recordWalk(
    of pets: [Pet.ID], in diary: WalkDiary, until isOver: @MainActor () -> Bool
  ) async throws -> Walk {
    let session = CLBackgroundActivitySession()
    defer { session.invalidate() }
    let walk = try await diary.start(pets: pets)
    for try await update in CLLocationUpdate.liveUpdates(.fitness) {
      if await isOver() { break }
      guard let location = update.location, let fix = LocationFix(location) else { continue }
      if case .notSaved(let error) = await walk.record(fix) {
        print("Make room on the device: \(error.message)")
      }
    }
    return try await walk.finish()
  }

  extension LocationFix {
    /// Creates a fix, or returns `nil` for a location without a position.
    init?(_ location: CLLocation) {
      guard location.horizontalAccuracy >= 0,
        let coordinate = try? Coordinate(
          latitude: location.coordinate.latitude, longitude: location.coordinate.longitude)
      else { return nil }
      self.init(
        coordinate: coordinate, accuracy: .meters(location.horizontalAccuracy),
        time: location.timestamp,
        elevation: location.verticalAccuracy > 0 ? location.altitude : nil,
        verticalAccuracy: .meters(location.verticalAccuracy),
        speed: location.speed >= 0 ? location.speed : nil,
        course: location.course >= 0 ? location.course : nil)
    }
  }
#endif
