import FieldKit
import FieldTesting
import Foundation
import TestSupport
import Testing

// What the article "Your own data, from Codable to indexes" shows, at work: each slice is a part of the page.

// MARK: Level 1

// snippet.record
struct Fountain: CatalogRecord {
  let id: RecordID<Fountain>
  let name: String
  let coordinate: Coordinate?
  let checked: Date?
  var searchText: String { name }

  enum CodingKeys: String, CodingKey { case id = "no", name, coordinate, checked = "checked_at" }

  /// The names that columns had before.
  static let columns = [RowColumn("no", "number"), RowColumn("checked_at", "checked")]
  /// The zone of dates that state none.
  static let timeZone: FixedZone? = .taipei
}
// snippet.end

// snippet.catalog
func makeFountains(_ url: URL, storage: Storage, transport: any Transport) -> Catalog<Fountain> {
  Catalog("fountains", at: url, storage: storage, transport: transport, policy: .daily)
}
// snippet.end

// MARK: Level 2

// snippet.indexes
struct CityTree: CatalogRecord, Hashable {
  let id: String
  let species: String?
  let street: String?
  let height: Double?
  let coordinate: Coordinate?

  static let indexes: [RecordIndex<CityTree>] = [
    .text(\.species, \.street),  // what a search finds
    .order(\.height),  // ranges, and the smallest and largest
    .value(\.species),  // equal values
  ]
}
// snippet.end

#if canImport(Observation) && canImport(SwiftUI)
  import SwiftUI

  // snippet.view
  struct TallestTrees: View {
    @State private var trees: Live<[CityTree]>

    init(_ catalog: Catalog<CityTree>) {
      _trees = State(initialValue: Live(catalog) { $0.find(\.height, in: 30..., limit: 20) })
    }

    var body: some View {
      List(trees.value ?? []) { tree in Text(tree.species ?? "unknown") }
        .task { await trees.refresh() }
        .refreshable { await trees.refresh(.now) }
        .overlay { if trees.isRefreshing { ProgressView() } }
    }
  }
// snippet.end
#endif

// MARK: Level 3

// snippet.rows
struct Quake: CatalogRecord {
  enum Columns: String, CodingKey { case id = "no", region, magnitude, lat, lng }
  static let columns = [
    RowColumn("no"), RowColumn("region", "area"), RowColumn("magnitude", "mag"), RowColumn("lat"),
    RowColumn("lng"),
  ]

  let id: Int
  var region = "unknown"
  var magnitude: Double?
  var coordinate: Coordinate?

  init(row: borrowing SourceRow) throws(RowProblem) {
    guard let id = row.integer(Columns.id) else { throw RowProblem("It has no number.") }
    self.id = id
    region = row.text(Columns.region) ?? "unknown"
    magnitude = row.double(Columns.magnitude)
    coordinate = row.coordinate(latitude: Columns.lat, longitude: Columns.lng)
  }
}
// snippet.end

// snippet.coding
extension Quake: CodedRecord {
  init(id: Int) { self.id = id }

  mutating func exchange(with coder: inout some RecordCoder) throws {
    try coder.sharedText(&region)  // a text that repeats is stored once for many records
    try coder.number(&magnitude)
    try coder.place(&coordinate)
  }
}
// snippet.end

// MARK: Sources and pages

// snippet.sources
func makeFountains(
  _ url: URL, mirror: URL, storage: Storage, transport: any Transport
) -> Catalog<Fountain> {
  let transport = transport.retrying().coalescing()  // sources are used as they are
  return Catalog(
    "fountains",
    sources: [
      Download<Fountain>(url, transport: transport, operation: "fountains.rows"),
      Download<Fountain>(mirror, transport: transport, operation: "fountains.mirror"),
    ], storage: storage)
}

func fountains(in bytes: [UInt8]) throws -> [Fountain] {
  let batch = try Batch<Fountain>(reading: bytes)  // without a catalog, such as in a test
  print(batch.failures, batch.failedIDs, batch.repeatedIDs, batch.facts.rowCount)
  return batch.records
}
// snippet.end

// snippet.pages
struct FountainPages: PagedSource {
  let url: URL
  let transport: any Transport

  var fingerprint: String { "fountains/1 \(url)" }  // another one starts a sync from the beginning
  var findsChanges: Bool { false }  // a changed row keeps its place

  func page(_ request: PageRequest) async throws -> Batch<Fountain> {
    var url = url
    if let token = request.position?.key {
      url.append(queryItems: [URLQueryItem(name: "page", value: token)])
    }
    let response = try await transport.send(
      TransportRequest(url: url, operation: "fountains.page"))
    var page = try Batch<Fountain>(reading: response)  // throws if the status isn't a success
    let next = try JSONDecoder().decode(Next.self, from: Data(response.body.bytes())).next
    page.facts.end = next.map { SyncPosition(key: $0) }
    page.facts.isLast = next == nil
    return page
  }

  private struct Next: Decodable { let next: String? }
}

func makeFountains(_ pages: FountainPages, storage: Storage) -> Catalog<Fountain> {
  Catalog("fountains", source: pages, storage: storage, policy: .daily)
}
// snippet.end

@Suite("The guide to your own data", .timeLimit(.minutes(60)))
struct YourOwnData {
  private static let fountains = """
    [{"number":"1","name":"臺北車站","latitude":25.0478,"longitude":121.517,"checked":"2026-01-02 08:00"},
     {"no":"2","name":"大安森林公園","latitude":25.03,"longitude":121.5358,"checked_at":"2026-01-01"}]
    """

  private let here: Coordinate
  private let url: URL

  init() throws {
    here = try Coordinate(latitude: 25.0479, longitude: 121.517)
    url = try #require(URL(string: "https://example.org/rows"))
  }

  private static func transport(_ operation: String, _ rows: String) -> StubTransport {
    StubTransport { $0.on(operation, respond: .json(text: rows)) }
  }

  @Test("a Codable record is searched and found near a place, and a search ignores variants")
  func levelOne() async throws {
    let fountains = makeFountains(
      url, storage: .inMemory, transport: Self.transport("fountains.rows", Self.fountains))
    // snippet.queries
    try await fountains.refresh()
    let view = try await fountains.view()  // synchronous from here on
    let near = view.nearest(to: here, count: 5)
    let found = view.search("台北車站")  // finds 臺北車站, too
    let around = view.records(within: .meters(500), of: here)
    let newest = view.find(sortedBy: { $0.checked ?? .distantPast > $1.checked ?? .distantPast })
    // snippet.end
    #expect(near.map(\.record.id) == ["1", "2"])
    #expect(found.map(\.id) == ["1"])
    #expect(around.map(\.id) == ["1"])
    #expect(newest.map(\.id) == ["1", "2"])
  }

  @Test("queries of declared fields find, order, and count, and their results can be followed")
  func levelTwo() async throws {
    let rows = """
      [{"id":"1","species":"Ginkgo biloba","street":"Oak Street","height":12},
       {"id":"2","species":"Quercus ilex","street":"Ginkgo Alley","height":31.5},
       {"id":"3","species":"Ginkgo biloba","street":"Pine Street","height":40},
       {"id":"4","species":"Tilia cordata","street":"Pine Street","height":null}]
      """
    let later = rows.replacing(#""height":12"#, with: #""height":35"#)
    let transport = StubTransport {
      $0.on("trees.rows", respond: .sequence(.json(text: rows), .json(text: later)))
    }
    let trees = Catalog<CityTree>("trees", at: url, storage: .inMemory, transport: transport)
    try await trees.refresh()
    // snippet.finding
    let view = try await trees.view()
    let tallest = view.find(\.height, order: .descending, limit: 20)
    let middle = view.find(\.height, in: 10..<20)
    let ginkgos = view.find(\.species, equals: "Ginkgo biloba")
    let number = view.count(\.height, in: 30...)
    let matches = view.search("ginkgo", limit: 50)  // in a species or a street
    // This one tests each record.
    let others = view.find(where: { $0.street != "Pine Street" }, order: \.height)
    // snippet.end
    #expect(tallest.map(\.id) == ["3", "2", "1", "4"])
    #expect(middle.map(\.id) == ["1"])
    #expect(ginkgos.map(\.id) == ["1", "3"])
    #expect(number == 2)
    #expect(matches.map(\.id) == ["1", "2", "3"])
    #expect(others.map(\.id) == ["1", "2"])

    let shown = Lock<[[String]]>([])
    let show: @Sendable ([CityTree]) -> Void = { trees in
      shown.withLock { $0.append(trees.map(\.id)) }
    }
    let following = Task {
      // snippet.following
      for try await tallest in trees.updates(of: { $0.find(\.height, in: 30..., limit: 20) }) {
        show(tallest)
      }
      // snippet.end
    }
    try await eventually { shown.withLock(\.self) == [["2", "3"]] }
    try await trees.refresh(.now)
    try await eventually { shown.withLock(\.self) == [["2", "3"], ["2", "1", "3"]] }
    try await trees.close()
    try await following.value
  }

  @Test("a record with its own reading of rows and its own coding is the same after reopening")
  func levelThree() async throws {
    let folder = try TemporaryFolder()
    let rows = """
      [{"no":7,"area":"Hualien","mag":"7.2","lat":23.77,"lng":121.67},{"no":"8","region":"Yilan"},
       {"region":"nowhere"}]
      """
    func quakes(_ transport: any Transport) -> Catalog<Quake> {
      Catalog("quakes", at: url, storage: .directory(folder.url), transport: transport)
    }
    let first = quakes(Self.transport("quakes.rows", rows))
    let report = try await first.refresh()
    #expect(report.failures.map(\.reason) == ["It has no number."])
    let stored = try await Array(first.view().all)
    #expect(stored.map(\.id) == [7, 8])
    #expect(stored[0].region == "Hualien" && stored[0].magnitude == 7.2)
    try await first.close()
    let second = quakes(StubTransport { _ in })
    #expect(try await Array(second.view().all) == stored)
    try await second.close()
  }

  @Test("a source of pages is read to its end")
  func pages() async throws {
    let last = #"{"items":[{"no":"3","name":"西門"}],"next":null}"#
    let transport = StubTransport {
      $0.on(
        "fountains.page",
        respond: .sequence(
          .json(text: #"{"items":\#(Self.fountains),"next":"2"}"#), .json(text: last)))
    }
    let fountains = makeFountains(
      FountainPages(url: url, transport: transport), storage: .inMemory)
    #expect(try await fountains.refresh().added == 3)
  }

  @Test("a refused removal is accepted once a person has confirmed it")
  func removal() async throws {
    func rows(_ range: ClosedRange<Int>) -> String {
      "[\(range.map { #"{"no":"\#($0)","name":"\#($0)"}"# }.joined(separator: ","))]"
    }
    let transport = StubTransport {
      $0.on(
        "fountains.rows",
        respond: .sequence(
          .json(text: rows(1...40)), .json(text: rows(1...15)), .json(text: rows(1...15))))
    }
    let fountains = makeFountains(url, storage: .inMemory, transport: transport)
    try await fountains.refresh()
    let asked = Lock(0)
    let confirms: @Sendable (RefusedRemoval) async -> Bool = { removal in
      asked.withLock { $0 = removal.count }
      return true
    }
    try await refresh(fountains, confirms)
    #expect(asked.withLock(\.self) == 25)
    #expect(try await fountains.view().count == 15)
  }

  private func refresh(
    _ fountains: Catalog<Fountain>, _ confirms: @Sendable (RefusedRemoval) async -> Bool
  ) async throws {
    // snippet.removal
    do {
      try await fountains.refresh(.now)
    } catch let error as FieldError {
      guard let removal = error.refusedRemoval, await confirms(removal) else { throw error }
      try await fountains.refresh(.acceptingRemovals(upTo: removal.count))
    }
    // snippet.end
  }

  @Test("a field refreshes a catalog with its kits")
  func field() async throws {
    let storage = Storage.inMemory
    let transport = StubTransport {
      FieldTests.sources(&$0)
      $0.on("fountains.rows", respond: .json(text: Self.fountains))
    }
    let fountains = makeFountains(url, storage: storage, transport: transport)
    // snippet.field
    let field = Field(storage: storage, transport: transport, adding: [fountains])
    for await step in field.refreshAll() where step.outcome != nil { print(step.kit) }
    // snippet.end
    #expect(try await fountains.view().count == 2)
    try await field.close()
  }

  // snippet.conformance
  @Test("the guide's fountains keep to the contract of a kit")
  func conformance() async throws {
    /// Fountains with these numbers, as CSV.
    @Sendable func rows(
      _ numbers: [Int], checked: String = "2026-01-01", more: String = ""
    ) -> TransportResponse {
      let lines = numbers.map { "\($0),Fountain \($0),\(checked)\n" }.joined() + more
      return TransportResponse(status: 200, body: .text("no,name,checked_at\n" + lines))
    }
    try await KitConformance.run { bench in
      Catalog<Fountain>(
        "fountains", at: url, storage: bench.storage, transport: bench.transport,
        clock: bench.clock)
    } responding: { _ in
      rows(Array(1...40))
    } later: { _ in  // 40 is missing, 39 comes twice, and one has no number
      rows(Array(1...39) + [39], more: ",no number,\n")
    } lacking: { _ in
      rows([1])
    } unreadable: { _ in
      rows(Array(1...40), checked: "yesterday")
    } damage: { fountains in
      try await fountains.view().damage
    } following: { fountains in
      fountains.updates { $0.all.map(\.id) }
    } content: { fountains in
      try await fountains.view().all.map(\.id)
    }
  }
  // snippet.end
}
