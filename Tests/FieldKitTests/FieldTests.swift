import FieldKit
import FieldTesting
import Foundation
import Testing

@Suite("Field")
struct FieldTests {
  static let rows = """
    [{"name":"Aachen","id":"1","recclass":"L5","mass":"21","fall":"Fell"}]
    """

  static let arrivals = """
    [{"Station":"台北車站","Destination":"淡水站","UpdateTime":"20260101080000"}]
    """

  static let feed = """
    <rss version="2.0"><channel><title>市府</title><item><title>活動</title>
    <link>https://www.tainan.gov.tw/News_Content.aspx?n=1&amp;s=2</link></item></channel></rss>
    """

  /// A table of the zoo, of one row.
  static func table(_ row: String) -> String {
    #"{"result":{"limit":1000,"offset":0,"count":1,"sort":"","results":[\#(row)]}}"#
  }

  /// Every source of the umbrella's kits, each with one row; two feeds have one item each.
  static func sources(
    _ stub: inout StubTransport.Stubs,
    meteorites: StubTransport.Response = .json(text: FieldTests.rows)
  ) {
    stub.on(
      "zoo.animals.page", respond: .json(text: table(#"{"_id":1,"a_name_ch":"大貓熊"}"#)))
    stub.on("zoo.areas.page", respond: .json(text: table(#"{"e_no":"1","e_name":"鳥園區"}"#)))
    stub.on(
      "zoo.plants.page", respond: .json(text: table(#"{"_id":1,"f_name_ch":"九芎"}"#)))
    stub.on("metro.arrivals", respond: .json(text: arrivals))
    stub.on("meteorites.snapshot", respond: meteorites)
    stub.on("civic.feed", respond: .text(feed))
  }

  @Test("a field creates each kit when it is first used, once")
  func firstUse() async throws {
    let storage = WatchedStorage()
    let field = Field(storage: Storage(storage), transport: StubTransport { _ in })
    #expect(storage.requests.isEmpty)
    #expect(try await field.meteorites.view().count == 0)
    #expect(storage.requests == ["meteorites"])
    let copy = field
    #expect(copy.meteorites === field.meteorites && copy.zoo === field.zoo)
    #expect(field.kits.map(\.name) == ["zoo", "metro", "meteorites", "walks", "civic"])
    #expect(field.kits.first as? Zoo === field.zoo)
    try await field.close()
    await #expect(throws: FieldError.self) { try await copy.metro.board() }
  }

  /// Notes what kits request from it.
  private final class WatchedStorage: StorageProvider {
    private let names = Lock<[String]>([])

    var requests: [String] { names.withLock(\.self) }

    private func note(_ name: String) -> Storage {
      names.withLock { $0.append(name) }
      return .inMemory
    }

    func records<Record: StoredRecord>(
      _ name: String, of type: Record.Type
    ) throws -> any RecordStore<Record> { try note(name).records(name, of: type) }

    func blobs(_ name: String) throws -> any BlobStore { try note(name).blobs(name) }
    func assets(_ name: String) throws -> AssetDirectory? { try note(name).assets(name) }
    func journals(_ name: String) throws -> JournalDirectory { try note(name).journals(name) }
  }

  @Test("a field refreshes all kits, reports their steps, and ends")
  func refreshAll() async throws {
    let transport = StubTransport { Self.sources(&$0) }
    let field = Field(storage: .inMemory, transport: transport, clock: ManualClock())
    var outcomes: [String] = []
    for await step in field.refreshAll() {
      guard case .finished(let report)? = step.outcome else { continue }
      outcomes.append("\(step.kit) \(report.added)")
    }
    #expect(outcomes.sorted() == ["civic 2", "meteorites 1", "metro 1", "zoo 3"])
  }

  @Test("a field reports the completed fraction of all kits, which never decreases and ends at 1")
  func totalFraction() async throws {
    let transport = StubTransport { Self.sources(&$0, meteorites: .error(.offline)) }
    let field = Field(storage: .inMemory, transport: transport, clock: ImmediateClock())
    let progress = field.refreshProgress()
    var totals: [Double] = []
    for await step in field.refreshAll() { totals.append(try #require(step.totalFraction)) }
    #expect(totals == totals.sorted())
    #expect(totals.count { $0 == 1 } == 1 && totals.last == 1)
    #expect(totals[0] < 0.5)
    try await field.close()
    var endings: [Double?] = []
    for await step in progress where step.outcome != nil { endings.append(step.totalFraction) }
    #expect(endings.count == 4 && endings.last == 1)
  }

  @Test("a field reports the failure of a kit as its last step, without affecting the others")
  func failure() async throws {
    let transport = StubTransport { Self.sources(&$0, meteorites: .error(.offline)) }
    let field = Field(storage: .inMemory, transport: transport, clock: ImmediateClock())
    var endings: [String] = []
    for await step in field.refreshAll() {
      switch step.outcome {
      case .failed(let error): endings.append("\(step.kit) \(error.code)")
      case .finished(let report): endings.append("\(step.kit) \(report.outcome)")
      default: break
      }
    }
    #expect(
      endings.sorted() == [
        "civic updated", "meteorites transport.offline", "metro updated", "zoo updated",
      ])
  }

  @Test("a field passes its storage to every kit, so that another field there sees everything")
  func storage() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let transport = StubTransport {
      $0.on("meteorites.snapshot", respond: .json(text: Self.rows))
      $0.on("metro.arrivals", respond: .json(text: Self.arrivals))
    }
    let first = Field(storage: .directory(folder), transport: transport, clock: ManualClock())
    try await first.meteorites.refresh()
    try await first.metro.refresh()
    let second = Field(storage: .directory(folder), transport: transport, clock: ManualClock())
    #expect(try await second.meteorites.count() == 1)
    #expect(try await second.meteorites.refresh().outcome == .notDue)
    #expect(try await second.metro.board().arrivals.count == 1)
    #expect(first.dataSources.map(\.name).contains("Meteorite Landings"))
  }

  @Test(
    "a field reports a kit whose file can't be opened, and recreates it when everything is erased")
  func damagedFile() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("no store file".utf8).write(to: folder.appending(path: "meteorites.store"))
    let field = Field(
      storage: .directory(folder), transport: StubTransport { Self.sources(&$0) },
      clock: ManualClock())
    let error = await #expect(throws: FieldError.self) { try await field.open() }
    #expect(error?.code == .damaged)
    #expect(error?.problems.count == 1)
    var endings: [String: FieldError.Code?] = [:]
    for await step in field.refreshAll() {
      if case .failed(let error) = step.outcome { endings[step.kit] = error.code }
    }
    #expect(endings == ["meteorites": .damaged])
    try await field.eraseAll()
    try await field.meteorites.refresh()
    #expect(try await field.meteorites.count() == 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.contains("meteorites.store.damaged-1"))
    try await field.close()
  }

  @Test("a field names the source of each kit once, and closes all of them")
  func closing() async throws {
    let field = Field(storage: .inMemory, transport: StubTransport { _ in }, clock: ManualClock())
    #expect(
      field.dataSources
        == field.zoo.dataSources + field.metro.dataSources + field.meteorites.dataSources
        + field.civic.dataSources)
    #expect(Set(field.dataSources.map(\.name)).count == field.dataSources.count)
    try await field.close()
    await #expect(throws: FieldError.self) { try await field.metro.board() }
    await #expect(throws: FieldError.self) { try await field.meteorites.view() }
    await #expect(throws: FieldError.self) { try await field.zoo.listing() }
    await #expect(throws: FieldError.self) { try await field.walks.pets() }
    await #expect(throws: FieldError.self) { try await field.civic.facilities() }
  }

  /// A transport that is always unavailable, and the attempts of each operation.
  private static func counting() -> (
    transport: StubTransport, attempts: @Sendable () -> [String: Int]
  ) {
    let transport = StubTransport { stubs in
      for operation in [
        "zoo.animals.page", "zoo.areas.page", "zoo.plants.page", "metro.arrivals",
        "meteorites.snapshot", "civic.feed", "trees.rows", "zoo.picture",
      ] {
        stubs.on(operation) { TransportResponse(status: 503, url: $0.url) }
      }
    }
    return (
      transport,
      { transport.requests.reduce(into: [:]) { $0[$1.operation, default: 0] += 1 } }
    )
  }

  private struct Tree: CatalogRecord, RowReadable {
    static let columns = [RowColumn("id")]
    let id: String
    init(row: borrowing SourceRow) throws(RowProblem) { id = row.text(0) ?? "" }
  }

  @Test(
    "a field retries once per kit, whether the transport retries already or not",
    arguments: [0, 1, 2, 3])
  func layers(form: Int) async throws {
    let (base, attempts) = Self.counting()
    let clock = ImmediateClock()
    let transport: any Transport =
      switch form {
      case 0, 1: base
      case 2: base.retrying(clock: clock)
      default: base.retrying(clock: clock).coalescing()
      }
    let storage = Storage.inMemory
    let trees = Catalog<Tree>(
      "trees", at: URL(string: "https://trees.test/rows.json")!, storage: storage,
      transport: transport, clock: clock)
    let field =
      form == 0
      ? Field(storage: storage, transport: transport, clock: clock, adding: [trees])
      : Field(
        storage: storage, transport: transport, clock: clock,
        zoo: Zoo(storage: storage, transport: transport, clock: clock, policy: .always),
        metro: Metro(
          storage: storage, transport: transport, clock: clock,
          staleness: StalenessPolicy(maximumAge: .seconds(30))),
        meteorites: MeteoriteCatalog(
          storage: storage, transport: transport, clock: clock, policy: .always),
        walks: WalkDiary(storage: storage, transport: transport, clock: clock),
        civic: CivicDirectory(
          feeds: [.tainanNews], storage: storage, transport: transport, clock: clock,
          options: CivicOptions(historyLimit: 3), pictureLimits: AssetLimits(diskBytes: 1 << 20)),
        adding: [trees])
    for await _ in field.refreshAll() {}
    let animal = Animal(
      name: "大貓熊",
      pictures: [ZooMedia(number: 1, link: ZooLink("http://www.zoo.gov.tw/1.jpg"))])
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try? await field.zoo.image(for: animal) } }
    }
    let once = RetryPolicy.default.attempts
    var expected = [
      "zoo.animals.page": once, "zoo.areas.page": once, "zoo.plants.page": once,
      "meteorites.snapshot": once, "trees.rows": once, "zoo.picture": once,
    ]
    let counts = attempts()
    for (operation, count) in expected {
      // A dataset with several IDs is asked for each of them.
      #expect((counts[operation] ?? 0) % count == 0 && counts[operation] ?? 0 > 0, "\(operation)")
    }
    #expect(counts["zoo.picture"] == once && counts["trees.rows"] == once)
    // The meteorites have three addresses.
    #expect(counts["meteorites.snapshot"] == once * 3)
    #expect(counts["civic.feed"] == once * (form == 0 ? 2 : 1))
    expected["metro.arrivals"] = form < 2 ? 3 : once
    #expect(counts["metro.arrivals"] == expected["metro.arrivals"])
    try await field.close()
  }

  @Test("a field has https pictures by default, and passes the settings of its kits on")
  func settings() async throws {
    let rows = Self.table(
      #"{"_id":1,"a_name_ch":"大貓熊","a_pic01_url":"http://www.zoo.gov.tw/1.jpg"}"#)
    for usesHTTPS in [true, false] {
      let clock = ManualClock()
      let transport = StubTransport {
        $0.on("zoo.animals.page", respond: .json(text: rows))
        $0.on("zoo.areas.page", respond: .json(text: Self.table(#"{"e_no":"1","e_name":"鳥園區"}"#)))
        $0.on("zoo.plants.page", respond: .json(text: Self.table(#"{"_id":1,"f_name_ch":"九芎"}"#)))
      }
      let storage = Storage.inMemory
      let field =
        usesHTTPS
        ? Field(storage: storage, transport: transport, clock: clock)
        : Field(
          storage: storage, transport: transport, clock: clock,
          zoo: Zoo(
            storage: storage, transport: transport, clock: clock, policy: .every(.seconds(60)),
            picturesUseHTTPS: false))
      try await field.zoo.refresh()
      let listing = try await field.zoo.listing()
      guard case .remote(let url)? = listing.first?.picture else {
        Issue.record("there is no picture")
        return
      }
      #expect(url.scheme == (usesHTTPS ? "https" : "http"))
      #expect(listing.search("大熊").isEmpty && listing.search("大貓").count == 1)
      clock.advance(by: .seconds(61))
      #expect(try await field.zoo.refresh().outcome == (usesHTTPS ? .notDue : .unchanged))
      try await field.close()
    }
  }

  @Test("a field gives access to the metro, its boards, guesses, and routes")
  func metro() async throws {
    let transport = StubTransport { $0.on("metro.arrivals", respond: .json(text: Self.arrivals)) }
    let field = Field(storage: .inMemory, transport: transport, clock: ManualClock())
    try await field.metro.refresh()
    let here = try await field.metro.board().arrivals(at: "Taipei Main Station")
    #expect(here.first?.updatedAt?.taipeiText == "2026年01月01日08時00分")
    #expect(field.metro.check(guess: "Tamsui", for: here[0]).isRight)
    var counts: [Int] = []
    for await board in field.metro.boards(every: .seconds(15)).prefix(2) {
      counts.append(board.fresh.count)
    }
    #expect(counts == [1, 1])
    let route = try MetroNetwork.taipei.route(from: "動物園", to: "淡水")
    #expect(route.stations.first?.name == "動物園")
    #expect(route.transfers >= 1)
  }
}
