import FieldTesting
import Foundation
import SharedStore
import Testing
import WalkKit

@Suite(
  "A diary in a database", .enabled(if: database != nil, "FIELDKIT_DATABASE_URL isn't set"),
  .serialized, .timeLimit(.minutes(60)))
struct SharedDiaryTests {
  let url = database ?? ""
  let namespace = UUID().uuidString
  let start = Date(timeIntervalSince1970: 1_767_236_400)

  /// A diary as another server would open it: with its own connection.
  func diary() -> WalkDiary {
    WalkDiary(
      storage: Storage(SharedStorage(url, namespace: namespace)),
      transport: StubTransport { _ in }, rules: PetRules(required: []))
  }

  @Test("A pet with its portrait and a walk with its route are in the diary of another server")
  func sharing() async throws {
    let (left, right) = (diary(), diary())
    #expect(try await right.pets().isEmpty)
    let portrait = Data([0xFF, 0xD8, 1])
    let mesh = try await left.register(PetRegistration(name: "mesh", photo: portrait))
    let points = try (0..<10).map { step in
      TrackPoint(
        coordinate: try Coordinate(latitude: 37.5 + Double(step) / 1_000, longitude: 127),
        time: start + Double(step) * 60)
    }
    let route = WalkRoute(segments: [points])
    let walk = try await left.addWalk(pets: [mesh.id], route: route)
    #expect(try await right.pets() == [mesh])
    #expect(try await right.portrait(of: mesh.id) == portrait)
    #expect(try await right.walks(of: mesh.id).walks == [walk])
    #expect(try await right.route(of: walk.id) == left.route(of: walk.id))
    #expect(try await right.route(of: walk.id).pointCount == 10)
    try await right.delete(mesh.id)
    #expect(try await left.walks().isEmpty)
    for diary in [left, right] { try await diary.close() }
  }

  @Test("If two servers register one name at the same time, one of them gets it")
  func names() async throws {
    let diaries = (0..<4).map { _ in diary() }
    let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
      for diary in diaries {
        group.addTask {
          do {
            try await diary.register(PetRegistration(name: "mesh"))
            return true
          } catch let error as FieldError where error.code == .nameTaken {
            return false
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(wins == 1)
    #expect(try await diaries[0].pets().count == 1)
    for diary in diaries { try await diary.close() }
  }
}
