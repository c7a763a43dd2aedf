//! Walks of other apps, walks that are entered by hand, and corrections.

// snippet.hide
import FieldKit
import Foundation

func edit(
  diary: WalkDiary, mesh: Pet.ID, tori: Pet.ID, file: URL, noon: Date, jpeg: Data
) async throws {
  // snippet.show
  // snippet.gpx
  let document = try GPXDocument(data: try Data(contentsOf: file))
  let walk = try await diary.addWalk(pets: [mesh], route: WalkRoute(tracks: document.tracks))
  print(walk.start, walk.distance)
  // snippet.end

  // snippet.hand
  try await diary.addWalk(
    pets: [mesh], start: noon, end: noon + 1_800, distance: .kilometers(1.5), weather: .clear)
  // snippet.end

  // snippet.edit
  try await diary.update(walk.id, WalkChanges(pets: [mesh, tori], end: walk.end + 60))
  let changed = try await diary.addPhoto(jpeg, to: walk.id, takenAt: walk.start)
  try await diary.removePhoto(changed.photos[0].id, from: walk.id)
  // snippet.end

  // snippet.trim
  let shorter = try await diary.trim(walk.id, to: walk.start...walk.start + 1_200)
  print(shorter.distance, shorter.duration)
  // snippet.end
  // snippet.hide
}
