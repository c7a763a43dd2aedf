import FieldCore
import FieldFakes
import Testing

@Suite("Views of a store", .timeLimit(.minutes(60)))
struct StoreViewTests {
  /// A view that knows how many came before it.
  struct Count: StoreView {
    let snapshot: Snapshot<Note>
    var damage: [OpeningReport.Cut] = []
    let earlier: Int

    init(of snapshot: Snapshot<Note>, after earlier: Count?) {
      self.snapshot = snapshot
      self.earlier = earlier.map { $0.earlier + 1 } ?? 0
    }
  }

  @Test("views of a store are created once for each state of the store, each from the previous one")
  func once() async throws {
    let store = InMemoryStore<Note>()
    let views = ViewSource<Count>(
      store, engine: KitEngine("notes", stores: [store], clock: ManualClock(), parts: []))
    #expect(try await views.view().earlier == 0)
    #expect(try await views.view().earlier == 0)
    try await store.commit(Changes(upserting: [Note(1)]), checkpoint: nil, expecting: nil)
    #expect(try await views.view().earlier == 1)
    #expect(try await views.view().snapshot.count == 1)
  }

  @Test(
    "views of a store arrive immediately, and then after each change, each from the previous one")
  func updates() async throws {
    let store = InMemoryStore<Note>()
    let updates: ViewUpdates<Count> = store.updates().views()
    var views = updates.makeAsyncIterator()
    #expect(try await views.next()?.earlier == 0)
    try await store.commit(Changes(upserting: [Note(1)]), checkpoint: nil, expecting: nil)
    let second = try await views.next()
    #expect(second?.earlier == 1)
    #expect(second?.snapshot.count == 1)
  }

  @Test("views of a store throw the store's error at the first step")
  func failure() async {
    let updates: ViewUpdates<Count> = SnapshotUpdates<Note> {
      throw FieldError(.io, "no store")
    }.views()
    var views = updates.makeAsyncIterator()
    await #expect(throws: FieldError.self) { try await views.next() }
  }
}
