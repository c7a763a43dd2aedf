internal import FieldCore
public import FieldFoundation

extension WalkDiary {
  /// Returns a walk as a GPX 1.1 file.
  ///
  /// The file contains the route, the names of the pets, weather and dust, and the places of photos
  /// and notes.
  ///
  /// ```swift
  /// if let walk = try await diary.walks().walks.first {
  ///   try await diary.gpx(of: walk.id).write(to: folder.appending(path: "walk.gpx"))
  /// }
  /// ```
  ///
  /// - Throws: The same errors as ``route(of:)``.
  @concurrent
  public func gpx(of id: Walk.ID) async throws -> Data {
    let route = try await route(of: id)
    guard let walk = try await walk(id) else { throw FieldError.unknownWalk(id) }
    let pets = try await pets(includingArchived: true)
    let photos = walk.photos.enumerated().compactMap { index, photo in
      photo.coordinate.map {
        GPXDetails.Waypoint(
          coordinate: $0, time: photo.takenAt, name: "Photo \(index + 1)", link: photo.url,
          kind: "photo")
      }
    }
    let notes = walk.notes.compactMap { note in
      note.coordinate.map {
        GPXDetails.Waypoint(
          coordinate: $0, time: note.time, name: note.text.isEmpty ? note.kind.rawValue : note.text,
          kind: note.kind.rawValue)
      }
    }
    return route.gpx(
      GPXDetails(
        name: WalkTexts.title(of: walk).string(),
        pets: walk.pets.compactMap { part in pets.first { $0.id == part.pet }?.name },
        weather: walk.weather?.rawValue, dust: walk.dust?.rawValue, waypoints: photos + notes))
  }
}
