import FieldCore
import GRDB

/// A tree of a made-up city.
struct Tree: StoredRecord, FetchableRecord, PersistableRecord {
  let id: Int
  let species: String
  let district: String
  let height: Double?
  let planted: Int
  let version: Int
}

/// A source of trees that changes from one generation to the next, as a formula that
/// `Scripts/Checks/grdb-kill.py` knows, too.
struct MadeTrees: PagedSource {
  private let rows: Int
  private let generation: Int
  /// The trees by their last change, and then by their IDs; `nil` in the generation 0, where that is the order of the IDs.
  private let order: [(version: Int, id: Int)]?

  let fingerprint = "trees"
  /// A closure to call before each page.
  var willRead: @Sendable () -> Void = {}
  let options: SyncOptions

  init(rows: Int, generation: Int = 0, pageSize: Int = 10_000) {
    self.rows = rows
    self.generation = generation
    options = SyncOptions(pageSize: pageSize, overlap: .zero)
    guard generation > 0 else {
      order = nil
      return
    }
    order = (0..<rows).filter { id in !(1...generation).contains { id % 97 == $0 % 97 } }
      .map { id in (version: Self.version(of: id, generation), id: id) }
      .sorted { $0 < $1 }
  }

  /// The last generation that has changed a tree.
  private static func version(of id: Int, _ generation: Int) -> Int {
    (0...generation).reversed().first { $0 == 0 || (id * 31 + $0 * 7) % 10 == 0 } ?? 0
  }

  private static func tree(_ id: Int, _ version: Int) -> Tree {
    Tree(
      id: id, species: "species \(id % 101)", district: "district \((id + version) % 12)",
      height: id % 7 == 0 ? nil : Double(id % 300) / 10, planted: 1_900 + id % 120,
      version: version)
  }

  private static func stamp(_ version: Int) -> String {
    "2026-01-01T00:00:\(version < 10 ? "0" : "")\(version)Z"
  }

  func page(_ request: PageRequest) async throws -> Batch<Tree> {
    willRead()
    let places = places(of: request)
    let trees = places.map { place in
      order.map { Self.tree($0[place].id, $0[place].version) } ?? Self.tree(place, 0)
    }
    return Batch(records: trees, facts: facts(of: trees.last, count: trees.count, places))
  }

  func keys(_ request: PageRequest) async throws -> KeyPage<Int> {
    let page = try await page(request)
    return KeyPage(ids: page.records.map(\.id), facts: page.facts)
  }

  func count() async throws -> Int? { order?.count ?? rows }

  private func places(of request: PageRequest) -> Range<Int> {
    let count = order?.count ?? rows
    var first = 0
    if let id = request.position?.key.flatMap({ Int($0) }) {
      // Places differ from one generation to the next, so the position is found by what it says.
      let version = request.position?.stamp.flatMap { Int($0.dropLast().suffix(2)) } ?? 0
      first = order.map { Self.place(after: (version, id), in: $0) } ?? id + 1
    }
    return min(first, count)..<min(first + request.size, count)
  }

  private static func place(
    after tree: (version: Int, id: Int), in order: [(version: Int, id: Int)]
  ) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if order[middle] > tree { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func facts(of last: Tree?, count: Int, _ places: Range<Int>) -> PageMetadata {
    PageMetadata(
      rowCount: count,
      rowHashes: places.map { UInt64(order?[$0].id ?? $0) },
      end: last.map { SyncPosition(stamp: Self.stamp($0.version), key: String($0.id)) },
      isLast: places.upperBound == (order?.count ?? rows))
  }
}
