import FieldFakes
import FieldKit
import FieldTesting
import Foundation
import TestSupport
import Testing

#if canImport(Observation)
  import Observation

  @MainActor
  @Suite("A live result", .timeLimit(.minutes(60)))
  struct LiveTests {
    struct Tree: CatalogRecord, Hashable {
      static let indexes: [RecordIndex<Tree>] = [.order(\.height)]
      let id: String
      var height: Double?
    }

    /// A source whose rows and failures the test decides.
    private final class Bulletin: PagedSource {
      struct State: Sendable {
        var trees: [Tree] = []
        var failure: FieldError?
        var isHeld = false
      }

      let state = Lock(State())
      var fingerprint: String { "bulletin/1" }
      var isIncremental: Bool { false }

      func page(_ request: PageRequest) async throws -> Batch<Tree> {
        while state.withLock(\.isHeld) { try await Task.sleep(for: .milliseconds(1)) }
        let state = state.withLock { $0 }
        if let failure = state.failure { throw failure }
        let trees = request.position == nil ? state.trees : []
        return Batch(
          records: trees,
          facts: PageMetadata(
            rowCount: trees.count, end: trees.isEmpty ? nil : SyncPosition(key: "end")))
      }
    }

    private let bulletin = Bulletin()
    private let clock = ManualClock()
    private let trees: Catalog<Tree>

    init() {
      trees = Catalog(
        "trees", source: bulletin, storage: .inMemory, clock: clock, deletion: .never)
      publish(["a": 10, "b": 31, "c": 45])
    }

    private func publish(_ heights: [String: Double]) {
      bulletin.state.withLock { state in
        state.trees = heights.map { Tree(id: $0.key, height: $0.value) }.sorted { $0.id < $1.id }
      }
    }

    private func tallest() -> Live<[String]> {
      Live(trees) { $0.find(\.height, in: 30..., order: .descending).map(\.id) }
    }

    @Test("a live result shows what is stored, and changes only if the result of the query does")
    func changes() async throws {
      let live = tallest()
      #expect(live.value == nil)
      try await eventually { live.value == [] }
      await live.refresh()
      try await eventually { live.value == ["c", "b"] }
      let isChanged = Lock(false)
      withObservationTracking {
        _ = live.value
      } onChange: {
        isChanged.withLock { $0 = true }
      }
      publish(["a": 11, "d": 12])
      await live.refresh(.now)
      #expect(try await trees.view().find(\.height, in: 11...12).map(\.id) == ["a", "d"])
      try await letOthersRun()
      #expect(!isChanged.withLock { $0 })
      publish(["a": 50])
      await live.refresh(.now)
      try await eventually { live.value == ["a", "c", "b"] }
      #expect(isChanged.withLock { $0 })
      try await trees.close()
    }

    @Test(
      "a live result keeps its value if a refresh fails, and shows the error until another succeeds"
    )
    func failure() async throws {
      let live = tallest()
      await live.refresh()
      try await eventually { live.value == ["c", "b"] }
      let date = clock.now
      #expect(live.lastRefresh == date)
      #expect(live.error == nil)
      bulletin.state.withLock { $0.failure = FieldError(.offline, "There is no network.") }
      clock.advance(by: .seconds(90))
      await live.refresh(.now)
      #expect(live.error?.code == .offline)
      #expect(live.value == ["c", "b"])
      #expect(live.lastRefresh == date)
      #expect(live.age(at: clock.now) == .seconds(90))
      bulletin.state.withLock { $0.failure = nil }
      await live.refresh(.now)
      #expect(live.error == nil)
      #expect(live.age(at: clock.now) == .zero)
      try await trees.close()
    }

    @Test("a live result shows the steps, date, and error of a refresh that another caller started")
    func progress() async throws {
      let live = tallest()
      try await eventually { live.value == [] }
      #expect(live.lastRefresh == nil)
      #expect(live.age() == nil)
      bulletin.state.withLock { $0.isHeld = true }
      async let report = trees.refresh()
      try await eventually { live.isRefreshing }
      #expect(live.progress?.outcome == nil)
      bulletin.state.withLock { $0.isHeld = false }
      #expect(try await report.added == 3)
      try await eventually { !live.isRefreshing && live.lastRefresh != nil }
      bulletin.state.withLock { $0.failure = FieldError(.offline, "There is no network.") }
      await #expect(throws: FieldError.self) { try await trees.refresh(.now) }
      try await eventually { live.error?.code == .offline }
      try await trees.close()
    }

    @Test(
      "a live result shows the error of a store that can't be opened, and of a query that throws")
    func unreadable() async throws {
      let folder = try TemporaryFolder()
      let file = folder.url.appending(path: "file")
      try Data().write(to: file)
      let broken = Catalog<Tree>(
        "trees", source: bulletin, storage: .directory(file), clock: clock)
      let live = Live(broken) { $0.count }
      try await eventually { live.error != nil }
      #expect(live.value == nil)
      let throwing = Live(trees) { _ -> Int in throw FieldError(.invalidInput, "No query.") }
      try await eventually { throwing.error?.code == .invalidInput }
      try await trees.close()
    }

    @Test(
      "a live result keeps its value until another query's result is known, and follows only that")
    func otherQuery() async throws {
      let live = tallest()
      await live.refresh()
      try await eventually { live.value == ["c", "b"] }
      live.follow(trees) { $0.find(\.height, in: ..<30).map(\.id) }
      #expect(live.value == ["c", "b"])
      try await eventually { live.value == ["a"] }
      publish(["a": 50, "d": 1])
      await live.refresh(.now)
      try await eventually { live.value == ["d"] }
      try await letOthersRun()
      #expect(live.value == ["d"])
      try await trees.close()
    }

    @Test("a live result shows the trains of the metro with the date of their board")
    func metro() async throws {
      let transport = StubTransport { FieldTests.sources(&$0) }
      let metro = Metro(storage: .inMemory, transport: transport, clock: clock)
      let stations = Live(metro) { $0.arrivals.map(\.stationName) }
      await stations.refresh()
      try await eventually { stations.value?.isEmpty == false }
      #expect(stations.value == (try await metro.board().arrivals.map(\.stationName)))
      #expect(stations.lastRefresh == clock.now)
      #expect(stations.error == nil)
      try await metro.close()
    }

    @Test("a live result shows what a query reads from a diary, whose walks aren't in memory")
    func diary() async throws {
      let diary = WalkDiary(
        storage: .inMemory, transport: StubTransport { _ in }, clock: clock,
        rules: PetRules(required: []))
      let names = Live(diary) { try await $0.pets().map(\.name) }
      try await eventually { names.value == [] }
      try await diary.register(PetRegistration(name: "mesh"))
      try await eventually { names.value == ["mesh"] }
      #expect(names.lastRefresh == nil)
      try await diary.close()
    }

    @Test("a live result is released while it follows a kit")
    func release() async throws {
      var live: Live<[String]>? = tallest()
      try await eventually { live?.value == [] }
      weak let released = live
      live = nil
      try await eventually { released == nil }
      try await trees.close()
    }

    @Test(
      "a live result is a sequence, too, which yields each result that differs from the one before")
    func sequence() async throws {
      var heights = trees.updates { $0.find(\.height, in: 30...).compactMap(\.height) }
        .makeAsyncIterator()
      #expect(try await heights.next() == [])
      try await trees.refresh()
      #expect(try await heights.next() == [31, 45])
      publish(["a": 12])
      try await trees.refresh(.now)
      publish(["c": 46])
      try await trees.refresh(.now)
      #expect(try await heights.next() == [31, 46])
      try await trees.close()
      #expect(try await heights.next() == nil)
    }
  }
#endif
