//! A walk from its start to the diary, and the recovery of an interrupted one.

// snippet.hide
import FieldKit
import Foundation

func record(
  diary: WalkDiary, mesh: Pet.ID, tori: Pet.ID, places: [Place],
  locations: AsyncStream<LocationFix>, jpeg: Data
) async throws {
  // snippet.show
  // snippet.record
  let walk = try await diary.start(pets: [mesh], goal: .nearest(of: places))
  for await fix in locations {
    switch await walk.record(fix) {
    case .accepted: break
    case .ignored(let reason): print("left out:", reason)
    case .notSaved(let error): print("make room on the device:", error.message)
    }
  }
  let finished = try await walk.finish(weather: .clear, dust: .good)
  print(finished.distance, finished.movingTime, finished.reward as Any)
  // snippet.end

  // snippet.events
  try await walk.pause()
  try await walk.resume()
  try await walk.addPhoto(jpeg)
  try await walk.addNote(kind: .pee, pet: mesh)
  try await walk.join(tori)
  try await walk.leave(tori)
  // snippet.end

  // snippet.goal
  let check = await walk.checkGoal()
  if let message = check.koreanMessage { print(message) }
  // snippet.end
  // snippet.hide
}

func show(walk: WalkRecorder) async {
  // snippet.show
  // snippet.progress
  for await progress in walk.progress {
    print(progress.figures.distance, progress.duration, progress.goal?.distance as Any)
    if let failure = progress.savingFailure { print("not saved:", failure.message) }
  }
  // snippet.end
  // snippet.hide
}

func policies(folder: URL, transport: some Transport) {
  // snippet.show
  // snippet.policy
  let options = RecordingOptions(
    fixes: FixPolicy(maximumAccuracy: .meters(30), maximumSpeed: 20),
    goals: GoalPolicy(radius: .meters(25)), flushInterval: .seconds(2))
  let diary = WalkDiary(
    storage: .directory(folder), transport: transport, recording: options)
  // snippet.end
  // snippet.hide
  _ = diary
}

func zone(folder: URL, transport: some Transport) throws {
  // snippet.show
  // snippet.zone
  let here = try FixedZone(secondsFromUTC: TimeZone.current.secondsFromGMT())
  let diary = WalkDiary(
    storage: .directory(folder), transport: transport, recording: RecordingOptions(zone: here))
  // snippet.end
  // snippet.hide
  _ = diary
}

func recover(diary: WalkDiary, wantsToGoOn: (UnfinishedWalk) -> Bool) async throws {
  // snippet.show
  // snippet.recover
  for walk in try await diary.unfinished() {
    print("since", walk.start, walk.figures.distance, walk.photoCount, "photos")
    if wantsToGoOn(walk) {
      let recorder = try await walk.resume()
      print(recorder.state)  // running, in a new segment
    } else {
      try await walk.finish()  // ends at its last point
    }
  }
  // snippet.end
  // snippet.hide
}

func retry(walk: WalkRecorder) async throws {
  // snippet.show
  // snippet.retry
  do {
    try await walk.finish(weather: .rain)
  } catch let error as FieldError {
    print(error.message, walk.state)  // failed; the draft and its photos are kept
    try await walk.finish()  // the same end and the same weather
  }
  // snippet.end
  // snippet.hide
}
