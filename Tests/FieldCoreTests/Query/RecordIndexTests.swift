import FieldCore
import TestSupport
import Testing

@Suite("Indexes that a record declares", .timeLimit(.minutes(60)))
struct RecordIndexTests {
  private typealias View = CatalogView<IndexedTree>

  /// A set of indexes and its newest view.
  private struct Chain {
    let indexes: [RecordIndex<IndexedTree>]
    var view: View
  }

  /// Returns no indexes, all, and random subsets.
  private static func subsets(
    _ count: Int, _ chance: inout SeededGenerator
  ) -> [[RecordIndex<IndexedTree>]] {
    let all = IndexedTree.allIndexes
    return [[], all]
      + (2..<count).map { _ in
        all.filter { _ in Bool.random(using: &chance) }.shuffled(using: &chance)
      }
  }

  /// Returns random changes: of one row, of some, of nearly all, or of all.
  private static func changes(
    of trees: [IndexedTree], _ chance: inout SeededGenerator
  ) -> Changes<IndexedTree> {
    var changes = Changes<IndexedTree>()
    let count: Int
    switch Int.random(in: 0..<24, using: &chance) {
    case 0: count = trees.count
    case 1: count = trees.count / 3
    case 2...6: count = max(1, trees.count / 100)
    case 7:
      changes.removeAll()
      count = trees.count / 2
    case 8: count = 0
    default: count = 1
    }
    let isRemoving = Int.random(in: 0..<3, using: &chance) == 0
    for _ in 0..<count {
      let known = trees.randomElement(using: &chance)?.id ?? 0
      let isNew = Int.random(in: 0..<4, using: &chance) == 0
      let id = isNew ? Int.random(in: 0..<100_000, using: &chance) : known
      if isRemoving, !isNew {
        changes.remove(id)
      } else if Bool.random(using: &chance), let old = trees.first(where: { $0.id == id }) {
        // One field changes, and the others stay.
        var tree = old
        tree.height = IndexedTree.random(id, &chance).height
        changes.upsert(tree)
      } else {
        changes.upsert(.random(id, &chance))
      }
    }
    return changes
  }

  @Test(
    "declared indexes never change the result of a query, whichever there are, after any commits",
    arguments: Sample.of(Array<UInt64>(1...40), 4, inDebug: 2))
  func subsets(seed: UInt64) async throws {
    let seed = seed &+ Sample.seed()
    var chance = SeededGenerator(seed: seed)
    let store = InMemoryStore<IndexedTree>()
    let count = [0, 1, 40, 300, 900].randomElement(using: &chance) ?? 0
    try await store.commit(
      Changes(upserting: (0..<count).map { .random($0, &chance) }), checkpoint: nil, expecting: nil)
    var snapshot = try await store.snapshot()
    var chains = Self.subsets(5, &chance).map {
      Chain(indexes: $0, view: View(of: snapshot, after: nil, indexes: $0))
    }
    var earlier: [(chains: [Chain], trees: [IndexedTree])] = []
    func check(_ chains: [Chain], _ trees: [IndexedTree], _ what: String) {
      for _ in 0..<4 {
        let query = TreeQuery.random(&chance)
        let expected = query.model(trees)
        for chain in chains {
          #expect(
            query.run(chain.view) == expected,
            "\(query), \(what), \(chain.indexes.count) indexes, seed \(seed)")
        }
      }
    }
    for step in 0..<40 {
      let trees = Array(snapshot)
      check(chains, trees, "step \(step)")
      if Int.random(in: 0..<5, using: &chance) == 0 { earlier.append((chains, trees)) }
      // Sometimes several commits pass between two views.
      for _ in 0..<([1, 1, 1, 4, 150].randomElement(using: &chance) ?? 1) {
        let changes = Self.changes(of: trees, &chance)
        try await store.commit(changes, checkpoint: nil, expecting: nil)
        if Int.random(in: 0..<40, using: &chance) == 0 { break }
      }
      snapshot = try await store.snapshot()
      for place in chains.indices {
        chains[place].view = View(
          of: snapshot, after: chains[place].view, indexes: chains[place].indexes)
      }
    }
    // Views of earlier snapshots still show those, and a view may follow a newer one.
    for (old, trees) in earlier {
      check(old, trees, "an earlier view")
      let back = zip(old, chains).map { old, newest in
        Chain(
          indexes: old.indexes,
          view: View(of: old.view.all, after: newest.view, indexes: old.indexes))
      }
      check(back, trees, "a view after a newer one")
      check(back, trees, "a view after a newer one")
    }
  }

  @Test(
    "declared indexes keep equal values in insertion order, and records without one last"
  )
  func ties() {
    let heights: [Double?] = [3, nil, 1, .nan, 3, 2, nil, 1, 0, -0.0]
    let trees = heights.enumerated().map { id, height in
      IndexedTree(id: id, name: "", species: nil, height: height, girth: height ?? 0, planted: 0)
    }
    for indexes in [[], IndexedTree.allIndexes] {
      let view = View(of: Snapshot(trees), after: nil, indexes: indexes)
      // The first query goes through all records, and the second builds the index.
      for _ in 0..<3 {
        #expect(view.find(\.height).map(\.id) == [8, 9, 2, 7, 5, 0, 4, 1, 3, 6])
        #expect(
          view.find(\.height, order: .descending).map(\.id) == [0, 4, 5, 2, 7, 8, 9, 1, 3, 6])
        #expect(view.find(\.height, order: .descending, limit: 2).map(\.id) == [0, 4])
        #expect(view.find(\.height, in: 1...2, order: .descending).map(\.id) == [5, 2, 7])
        #expect(view.find(\.height, in: 1..<2).map(\.id) == [2, 7])
        #expect(view.find(\.height, in: 2...).map(\.id) == [5, 0, 4])
        #expect(view.find(\.height, in: ValueRange(lower: nil, upper: nil)).count == 7)
        #expect(view.find(\.height, in: ValueRange(lower: .nan, upper: nil)).isEmpty)
        #expect(view.find(\.height, in: ValueRange(lower: 3, upper: 1)).isEmpty)
        #expect(view.count(\.height, in: ...1) == 4)
        #expect(view.count(\.girth, in: 0.0...) == 9)
        #expect(view.find(\.height, equals: nil).map(\.id) == [1, 6])
        #expect(view.count(\.height, equals: .nan) == 0)
        #expect(view.count(\.height, equals: -0.0) == 2)
        #expect(
          view.find(where: { $0.id > 1 }, order: \.height, .descending, limit: 3).map(\.id)
            == [4, 5, 2])
        #expect(view.find(order: \.planted, limit: 2).map(\.id) == [0, 1])
      }
    }
  }

  @Test("declared indexes find a text within one of the declared texts, and never across two")
  func texts() {
    struct Place: CatalogRecord {
      static let indexes: [RecordIndex<Place>] = [
        .text(\.name, \.note), .text { $0.tags.joined(separator: " ") },
      ]
      let id: Int
      var name: String
      var note: String?
      var tags: [String] = []
      var searchText: String { "unused" }
    }
    let snapshot = Snapshot([
      Place(id: 1, name: "Alpha Beta", note: "Gamma", tags: ["x", "delta"]),
      Place(id: 2, name: "", note: nil, tags: ["alpha"]),
      Place(id: 3, name: " ", note: "Beta"),
    ])
    func check(_ view: CatalogView<Place>) {
      func search(_ text: String) -> [Int] { view.search(text).map(\.id) }
      #expect(search("ALPHA") == [1, 2])
      #expect(search("alpha beta") == [1])
      #expect(search("beta gamma") == [])
      #expect(search("beta") == [1, 3])
      #expect(search("x delta") == [1])
      #expect(search("gamma x") == [])
      #expect(search("unused") == [])
    }
    let view = CatalogView(of: snapshot)
    for _ in 0..<6 { check(view) }
    // The changed texts are searched in the same way as those of the base.
    let changes = Changes(upserting: [Place(id: 4, name: "Alpha Beta", note: "gamma")])
    let next = CatalogView(of: snapshot.applying(changes), after: view)
    #expect(next.search("alpha beta").map(\.id) == [1, 4])
    #expect(next.search("beta gamma") == [])
    #expect(next.count(matching: "beta") == 3)
  }

  @Test(
    "a record's indexes are its text and its location if none are declared, and beside others"
  )
  func defaults() throws {
    struct Stop: CatalogRecord {
      let id: Int
      var searchText: String { "stop \(id)" }
      var coordinate: Coordinate? { try? Coordinate(latitude: Double(id), longitude: 0) }
    }
    let here = try Coordinate(latitude: 2, longitude: 0)
    let snapshot = Snapshot((0..<5).map(Stop.init))
    for indexes in [[], [.order(\.id)], [.place { _ in nil }, .text { _ in nil }]]
      as [[RecordIndex<Stop>]]
    {
      let view = CatalogView(of: snapshot, after: nil, indexes: indexes)
      let isDeclared = indexes.count == 2
      #expect(view.search("STOP 3").map(\.id) == (isDeclared ? [] : [3]))
      #expect(view.nearest(to: here, count: 1).map(\.id) == (isDeclared ? [] : [2]))
    }
  }

  /// A record that counts how often its fields are read.
  private struct Counted: CatalogRecord {
    static let reads = Lock(0)
    static let indexes: [RecordIndex<Counted>] = [
      .order(\.mass), .value(\.mass), .text(\.name), .place(\.spot),
    ]
    let id: Int
    var stored: Int

    private func read<Value>(_ value: Value) -> Value {
      Self.reads.withLock { $0 += 1 }
      return value
    }
    var mass: Int? { read(stored) }
    var name: String { read("mass \(stored)") }
    var spot: Coordinate? {
      read(try? Coordinate(latitude: Double(stored % 90), longitude: Double(stored % 180)))
    }
  }

  @Test("declared indexes are updated by what has changed, and not built again")
  func kept() async throws {
    let count = 2_000
    var snapshot = Snapshot((0..<count).map { Counted(id: $0, stored: $0) })
    var view = CatalogView(of: snapshot)
    func ask(_ newest: Int) -> Int {
      let before = Counted.reads.withLock { $0 }
      #expect(view.find(\.mass, order: .descending, limit: 1).map(\.id) == [7])
      #expect(view.count(\.mass, in: newest...) == 1)
      #expect(view.find(\.mass, equals: newest).map(\.id) == [7])
      #expect(view.count(\.mass, equals: newest - 1) == 0)
      #expect(view.search("MASS \(newest)").map(\.id) == [7])
      #expect(view.count(matching: "mass") == count)
      #expect(view.records(in: GeoBox.world).count == count)
      return Counted.reads.withLock { $0 } - before
    }
    func change(to mass: Int) {
      snapshot = snapshot.applying(Changes(upserting: [Counted(id: 7, stored: mass)]))
      view = CatalogView(of: snapshot, after: view)
    }
    change(to: 10_000)
    for _ in 0..<6 { _ = ask(10_000) }
    #expect(ask(10_000) == 0)
    for step in 1...100 {
      change(to: 10_000 + 2 * step - 1)
      if step.isMultiple(of: 2) { change(to: 10_000 + 2 * step) }
      guard step.isMultiple(of: 2) else { continue }
      // An index of the order, of the values, of the texts, and of the places before and after.
      #expect(ask(10_000 + 2 * step) <= 5)
    }
  }

  @Test("indexes of an earlier snapshot aren't used after everything was removed and renumbered")
  func renumbered() async throws {
    let store = InMemoryStore<IndexedTree>()
    var chance = SeededGenerator(seed: 1)
    let trees = (0..<1_000).map { IndexedTree.random($0, &chance) }
    try await store.commit(Changes(upserting: trees), checkpoint: nil, expecting: nil)
    var view = View(
      of: try await store.snapshot(), after: nil, indexes: IndexedTree.allIndexes)
    for _ in 0..<3 { _ = view.count(\.planted, in: 0...) }
    var changes = Changes<IndexedTree>()
    for id in 0..<900 { changes.remove(id) }
    try await store.commit(changes, checkpoint: nil, expecting: nil)
    view = View(
      of: try await store.snapshot(), after: view, indexes: IndexedTree.allIndexes)
    #expect(view.count(\.planted, in: 0...) == 100)
    #expect(view.find(\.planted).count == 100)
  }
}
