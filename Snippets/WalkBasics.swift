//! The shortest way to record a walk.

// snippet.hide
import FieldCore
import FieldURLSession
import Foundation
import WalkKit

func walkBasics(folder: URL, jpeg: Data, here: Coordinate, park: Coordinate) async throws {
  // snippet.show
  // snippet.walk
  let diary = WalkDiary(storage: .directory(folder), transport: URLSessionTransport())
  let mesh = try await diary.register(
    PetRegistration(
      name: "mesh", breed: .welshCorgi, gender: .male, birth: CalendarDay("2020-01-01"),
      weight: .kilograms(10), photo: jpeg))
  try await diary.addPlace("The park", at: park)

  let walk = try await diary.start(pets: [mesh.id], goal: .nearest(of: diary.places()))
  await walk.record(LocationFix(coordinate: here, accuracy: .meters(8), time: Date()))
  try await walk.addPhoto(jpeg)
  let finished = try await walk.finish(weather: .clear, dust: .good)
  print(finished.distance, finished.movingTime, finished.reward as Any)
  // snippet.end

  // snippet.history
  let page = try await diary.walks(of: mesh.id)  // newest first, immediately
  for row in page.rows { print(row.title.string(in: .korean), row.badge ?? "") }
  for await photo in diary.photos(of: finished) {
    switch photo.data {
    case .success(let bytes): print(photo.index, bytes.count)
    case .failure(let error): print(photo.index, error)
    }
  }
  let route = try await diary.route(of: finished.id)
  try route.gpx(name: "Morning").write(to: folder.appending(path: "morning.gpx"))
  // snippet.end

  // snippet.errors
  do {
    try await diary.register(
      PetRegistration(name: " ", breed: nil, gender: nil, birth: "2999-01-01", weight: "abc"))
  } catch let error as FieldError where error.code == .invalidInput {
    for problem in error.problems { print(problem) }  // all of them at once
  } catch let error as FieldError where error.code == .nameTaken {
    print(WalkTexts.message(for: error).string(in: .korean))  // 동일한 이름이 존재합니다.
  }
  // snippet.end

  // snippet.operation
  let saving = WalkOperation<Walk>()
  try await saving.run {
    try await walk.finish()
  } then: { saved in
    print("saved", saved.id)
  }
  // snippet.end
  // snippet.hide
}
