import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import Testing

@testable import WalkKit

/// What the old app did and the kit does as well: the list W1 to W14, as far as it is the diary's.
@Suite("The diary does what the old app did", .timeLimit(.minutes(60)))
struct DiaryChecklistTests {
  private let bench = DiaryBench()
  private var diary: WalkDiary { bench.diary }

  // W1 of Docs/old-apps.md
  @Test("no pet is selected without one, so it is time to register one")
  func nobody() async throws {
    #expect(try await diary.selectedPet() == nil)
    #expect(try await diary.pets().isEmpty)
  }

  // W1 of Docs/old-apps.md
  @Test("the first pet is selected until another is chosen, and the choice survives a restart")
  func selection() async throws {
    let storage = Storage.inMemory
    let bench = DiaryBench(storage: storage)
    let first = try await bench.diary.register(DiaryBench.form("a"))
    bench.clock.advance(by: .seconds(1))
    let second = try await bench.diary.register(DiaryBench.form("b"))
    #expect(try await bench.diary.selectedPet() == first)
    try await bench.diary.select(second.id)
    let again = DiaryBench(storage: storage).diary
    #expect(try await again.selectedPet() == second)
    try await again.archive(second.id)
    #expect(try await again.selectedPet() == first)
    #expect(try await again.pets() == [first])
    #expect(try await again.pets(includingArchived: true).count == 2)
    #expect(await code { try await again.select(second.id) } == .petArchived)
    #expect(await code { _ = try await again.start(pets: [second.id]) } == .petArchived)
    #expect(await code { try await again.select(Pet.ID(rawValue: "none")) } == .unknownPet)
    try await again.unarchive(second.id)
    #expect(try await again.selectedPet() == second)
  }

  // W2 of Docs/old-apps.md
  @Test("all six values of a pet are required by default, and all problems are reported at once")
  func registration() async throws {
    let bench = DiaryBench(rules: PetRules())
    let error = await #expect(throws: FieldError.self) {
      try await bench.diary.register(PetRegistration(name: "  "))
    }
    #expect(error?.code == .invalidInput)
    #expect(
      error?.problems == [
        "name: is missing", "breed: is missing", "gender: is missing", "photo: is missing",
        "birth: is missing", "weight: is missing",
      ])
    #expect(try await bench.diary.pets().isEmpty)
    let pet = try await bench.diary.register(DiaryBench.form(" mesh "))
    #expect(pet.name == "mesh")
    #expect(try await bench.diary.pets() == [pet])
    #expect(try await bench.diary.portrait(of: pet.id) == DiaryBench.jpeg)
  }

  // W2 of Docs/old-apps.md
  @Test(
    "a registration form begins with today in the diary's zone, if a birthday is required",
    arguments: [(0.0, "2026-01-01"), (-1, "2025-12-31"), (86_399, "2026-01-01")])
  func form(seconds: Double, day: String) throws {
    let bench = DiaryBench(rules: PetRules(required: [.birth]))
    bench.clock.set(now: DiaryBench.noon - 43_200 + seconds)
    let form = bench.diary.registrationForm()
    #expect(form == PetRegistration(name: "", birth: try CalendarDay(day)))
    #expect(diary.registrationForm() == PetRegistration(name: ""))
  }

  // W2 of Docs/old-apps.md
  @Test("a second pet with a name is rejected in the old app's words")
  func nameTaken() async throws {
    try await diary.register(DiaryBench.form("콩"))
    let error = await #expect(throws: FieldError.self) {
      try await diary.register(DiaryBench.form("콩"))
    }
    #expect(error?.code == .nameTaken)
    let message = try #require(error.map(WalkTexts.message(for:)))
    #expect(message.string(in: .korean) == "동일한 이름이 존재합니다.")
  }

  // W8 of Docs/old-apps.md
  @Test("a reward survives a restart and is claimed once")
  func reward() async throws {
    let storage = Storage.inMemory
    let bench = DiaryBench(storage: storage)
    let pet = try await bench.diary.register(DiaryBench.form("a"))
    try await bench.save("plain", of: [pet])
    let walk = try await bench.save("goal", of: [pet], hour: 1, reward: true)
    let again = DiaryBench(storage: storage).diary
    #expect(try await again.pendingRewards().map(\.id) == [walk.id])
    let claims = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { try await again.claimReward(of: walk.id) } }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(claims == 1)
    #expect(try await again.pendingRewards().isEmpty)
    #expect(try await bench.diary.claimReward(of: walk.id) == false)
    #expect(try await bench.diary.walk(walk.id)?.reward?.claimed == DiaryBench.noon)
    #expect(try await again.claimReward(of: Walk.ID(rawValue: "plain")) == false)
    #expect(
      await code { try await again.claimReward(of: Walk.ID(rawValue: "none")) } == .unknownWalk)
  }

  // W9 of Docs/old-apps.md
  @Test("photos, route, and walk are stored together, and saving again stores nothing twice")
  func saving() async throws {
    let pet = try await diary.register(DiaryBench.form("a"))
    let walk = try await bench.save("w", of: [pet], photos: [[1], [2, 2], [3]])
    #expect(walk.photos.map(\.id.rawValue) == ["w-0", "w-1", "w-2"])
    #expect(try await diary.photo(walk.photos[1]) == Data([2, 2]))
    #expect(try await diary.route(of: walk.id).pointCount == 3)
    let again = try await bench.save("w", of: [pet], photos: [[9]])
    #expect(again == walk)
    #expect(try await diary.walks().walks == [walk])
    let blobs = try bench.storage.blobs(StoredWalks.storeName)
    #expect(try await blobs.contains(BlobID(of: [9])) == false)
  }

  // W9 of Docs/old-apps.md
  @Test("a walk without photos and without a fix is saved as well")
  func bareSaving() async throws {
    let pet = try await diary.register(DiaryBench.form("a"))
    let walk = try await bench.save("w", of: [pet], points: 0)
    #expect(!walk.hasRoute)
    #expect(try await diary.route(of: walk.id).isEmpty)
  }

  // W11 of Docs/old-apps.md
  @Test("an operation reports its state, runs what follows, and rejects a second call")
  func operation() async throws {
    let operation = WalkOperation<Int>()
    let followed = Lock<[Int]>([])
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    async let value = operation.run {
      operation.report(0.5)
      for await _ in gate { break }
      return 7
    } then: { number in
      followed.withLock { $0.append(number) }
    }
    for await state in operation.states() {
      if case .running(let fraction) = state, fraction == 0.5 { break }
    }
    #expect(await code { try await operation.run { 8 } } == .operationInProgress)
    #expect(followed.withLock { $0 }.isEmpty)
    opener.yield()
    #expect(try await value == 7)
    #expect(followed.withLock { $0 } == [7])
    guard case .succeeded(7) = operation.state else {
      Issue.record("\(operation.state)")
      return
    }
    await #expect(throws: FieldError.self) {
      try await operation.run { throw FieldError(.diskFull, "full") }
    }
    guard case .failed(let error) = operation.state else {
      Issue.record("\(operation.state)")
      return
    }
    #expect(WalkTexts.message(for: error).string(in: .korean) == "저장 공간이 부족합니다.")
    await #expect(throws: CancellationError.self) {
      try await operation.run { throw CancellationError() }
    }
    guard case .cancelled = operation.state else {
      Issue.record("\(operation.state)")
      return
    }
    #expect(try await operation.run { 9 } == 9)
  }

  // W12 of Docs/old-apps.md
  @Test("a row of the history has the date, the first photo, and a badge")
  func rows() async throws {
    let pet = try await diary.register(DiaryBench.form("a"))
    try await bench.save("none", of: [pet])
    try await bench.save("one", of: [pet], hour: 1, photos: [[1]])
    try await bench.save("two", of: [pet], hour: 2, photos: [[1], [2]])
    let rows = try await diary.walks().rows
    #expect(rows.map(\.badge) == ["+1", nil, nil])
    #expect(rows.map { $0.photo?.id.rawValue } == ["two-0", "one-0", nil])
    #expect(rows[2].title.string(in: .korean) == "2026-01-01 12:00:00 의 산책 기록")
    #expect(rows[2].title.string() == "Walk of 2026-01-01 12:00:00")
  }

  // W13 of Docs/old-apps.md
  @Test("single fields of a pet change by its ID, and the others stay")
  func partialUpdate() async throws {
    let pet = try await diary.register(DiaryBench.form("a"))
    var wanted = pet
    wanted.weight = .kilograms(11.5)
    #expect(try await diary.update(pet.id, PetChanges(weight: .kilograms(11.5))) == wanted)
    let diary = diary
    let changes = [
      PetChanges(name: "b"), PetChanges(gender: .female), PetChanges(breed: .poodle),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for change in changes { group.addTask { try await diary.update(pet.id, change) } }
      try await group.waitForAll()
    }
    wanted.name = "b"
    wanted.gender = .female
    wanted.breed = .poodle
    #expect(try await diary.pet(pet.id) == wanted)
    let cleared = try await diary.update(pet.id, PetChanges(clearing: [.gender, .photo]))
    #expect(cleared.gender == nil)
    #expect(cleared.photo == nil)
    let nobody = Pet.ID(rawValue: "none")
    #expect(await code { try await diary.update(nobody, PetChanges(name: "x")) } == .unknownPet)
  }
}
