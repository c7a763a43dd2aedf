import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("The walks' models")
struct WalkModelJSONTests {
  private static let date = Date(timeIntervalSince1970: 1_767_225_600)

  @Test("the walks' models have JSON that other programs can read")
  func models() throws {
    let coordinate = try Coordinate(latitude: 37.5, longitude: 127.0625)
    let place = Place(id: "park", name: "공원", coordinate: coordinate)
    let point = TrackPoint(coordinate: coordinate, time: Self.date, accuracy: .meters(4.5))
    let figures = TrackFigures()
    let note = WalkNote(.water, text: "물", time: Self.date, pet: "mesh")
    let photo = WalkPhoto(id: "p1", takenAt: Self.date, url: address("https://photos.example/1"))
    var walk = try WalkSample.walk("2024-03-06 18:00", weather: .clear, rewarded: true, climb: 12)
    (walk.notes, walk.photos, walk.goal) = ([note], [photo], place)
    let goal = GoalProgress(place: place, distance: .meters(12), isReached: true)
    let error = FieldError(.diskFull, "There is no room left.")
    let pet = Pet(
      id: "mesh", name: "mesh", breed: .welshCorgi, gender: .male, weight: .kilograms(10),
      registered: Self.date)
    try Golden("walks-models").expectModels([
      "badges": [
        Badge(.walks(1), pet: "mesh", walk: walk),
        Badge(.totalDistance(.kilometers(10)), walk: walk),
        Badge(.oneWalk(.kilometers(5)), walk: walk),
        Badge(.streak(days: 7, StreakRule()), walk: walk), Badge(.rewards(1), walk: walk),
        Badge(.badWeather(1), walk: walk),
        Badge(.weeklyGoal(try WeeklyGoal(.walks(3)), weeks: 2), walk: walk),
      ],
      "batch": WalkBatch(pets: [pet], walks: [walk], places: [place], aliases: ["old": "mesh"]),
      "bests": PersonalBests([walk]),
      "changes": WalkChanges(dust: .good, notes: [note], clearing: [.weather, .air]),
      "diaryChange": WalkDiaryChange(pets: ["tori", "mesh"], walks: ["b", "a"]),
      "draftPhoto": DraftPhoto(id: "p1", blob: BlobID(of: [1]), takenAt: Self.date),
      "dustScale": DustScale.korea2018,
      "fix": LocationFix(coordinate: coordinate, accuracy: .meters(8), time: Self.date),
      "fixResults": [.accepted, .ignored(.jump), .notSaved(error)] as [FixResult],
      "goalChecks": [.reached(place), .notYet(place, .meters(60)), .unknownPosition, .noGoal]
        as [GoalCheck],
      "goals": [.place(place), .nearest(of: [place]), .random(of: [place])] as [WalkGoal],
      "gpx": GPXDetails(
        name: "walk", created: Self.date, segmentStarts: [.start, .gap],
        waypoints: [.init(coordinate: coordinate, name: "물")]),
      "historyRow": WalkHistoryRow(walk),
      "options": RecordingOptions(),
      "page": WalkPage(walks: [walk], next: WalkPage.Cursor(after: walk)),
      "petChanges": PetChanges(name: "tori", photo: Data([1]), clearing: [.weight, .birth]),
      "petRegistration": PetRegistration(
        name: "mesh", breed: .beagle, gender: nil, birth: "soon", weight: "12.5"),
      "petRules": PetRules(),
      "progress": WalkProgress(
        state: .failed, start: Self.date, elapsed: .seconds(90), duration: .milliseconds(60_500),
        figures: figures, lastPoint: point, goal: goal, pets: ["mesh"], photoCount: 1,
        noteCount: 2, unsavedCount: 3, savingFailure: error, failure: CancellationError()),
      "query": WalkQuery(pet: "mesh", period: Self.date..<Self.date + 60),
      "route": GeoJSONRoute(Data(#"{"type":"LineString","coordinates":[[127,37],[127,38]]}"#.utf8)),
      "statistics": WalkStatistics([walk]),
      "targets": [.minutes(150), .distance(.kilometers(5)), .walks(3)] as [WeeklyGoal.Target],
      "unfinished": UnfinishedWalk(
        id: "w1", start: Self.date, pets: walk.pets, lastPoint: point, figures: figures,
        elapsed: .seconds(90), duration: .seconds(60.5), goal: goal, photoCount: 1, notes: [note],
        wasRunning: true),
    ])
  }

  @Test("A copy of an unfinished walk can only be displayed")
  func unfinishedCopy() async throws {
    let walk = UnfinishedWalk(id: "w1", start: Self.date, pets: [])
    let unknown = { (error: any Error) in (error as? FieldError)?.code == .unknownWalk }
    await #expect(performing: { try await walk.resume() }, throws: unknown)
    await #expect(performing: { try await walk.finish() }, throws: unknown)
    await #expect(performing: { try await walk.discard() }, throws: unknown)
  }

  @Test("Walks with durations in the form of older versions are read")
  func olderWalks() throws {
    let archive = try WalkArchive(reading: Golden("walks-exchange-1").bytes("archive.json"))
    #expect(archive.problems.isEmpty && !archive.walks.isEmpty)
    #expect(
      archive.walks
        == (try WalkArchive(reading: Golden("walks-exchange").bytes("archive.json")).walks))
    #expect(archive.walks.contains { $0.duration == .seconds(168) })
  }
}
