import FieldFakes
import FieldTesting
import FieldTransit
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("A metro with a timetable", .timeLimit(.minutes(60)))
struct TimetableRefreshTests {
  private typealias Fixture = TimetableFixture
  private let clock = ManualClock(now: BoardRows.noon)
  private static let offline = FieldError(.offline, "no network")
  private static let file = Array(
    "[\((Fixture.bannan() + [Fixture.wenhu]).joined(separator: ","))]".utf8)

  private func metro(
    _ timetable: any RecordSource<MetroTimetable>, _ feed: ScriptedFeed? = nil,
    storage: Storage = .inMemory
  ) -> Metro {
    Metro(
      source: feed ?? ScriptedFeed(.rows([BoardRows.row("台北車站", "淡水站", 0)])),
      timetable: timetable, storage: storage, clock: clock, random: { 0 })
  }

  /// A metro over the fake feed, as an app has it.
  private func metro(_ fake: FakeMetroFeed, storage: Storage = .inMemory) -> Metro {
    let token = TDXToken(clientID: "client", secret: "secret", transport: fake, clock: clock)
    return Metro(
      timetable: TDXTimetable(token: token, transport: fake), storage: storage, transport: fake,
      clock: clock)
  }

  private func requests(_ fake: FakeMetroFeed) -> [String] {
    fake.requests.filter { $0.operation == "metro.tdx.timetable" }.map {
      $0.url.path().split(separator: "/").suffix(2).joined(separator: "/")
    }
  }

  @Test(
    "A refresh stores TDX's timetable once a day, and a restarted metro has it without a request")
  func refresh() async throws {
    let folder = try TemporaryFolder()
    let fake = FakeMetroFeed(clock: clock)
    let metro = metro(fake, storage: .directory(folder.url))
    #expect(try await metro.timetable() == nil)
    #expect(try await metro.nextRefreshDate == clock.now)
    let report = try await metro.refresh()
    #expect(report.notices.isEmpty && report.failures.isEmpty)
    // The Circular line isn't among the fake's lines, so all headways are requested.
    #expect(
      requests(fake) == [
        "StationTimeTable/TRTC", "StationTimeTable/NTMC", "Frequency/TRTC", "Frequency/NTMC",
      ])
    let timetable = try #require(try await metro.timetable())
    #expect(timetable.fetchedAt == BoardRows.noon)
    let next = try timetable.departures(at: "西門", from: clock.now, limit: 1)
    #expect(next.map(\.headsign) == ["忠孝復興"])
    let run = try timetable.departures(at: "木柵", from: clock.now, limit: 1)
    #expect(run.allSatisfy(\.isFrequency) && !run.isEmpty)
    #expect(metro.dataSources.contains(.tdxMetro))
    // Half a day later, only arrivals are due.
    clock.advance(by: .seconds(43_200))
    try await metro.refresh()
    #expect(requests(fake).count == 4)
    try await metro.close()

    let again = self.metro(fake, storage: .directory(folder.url))
    #expect(try await again.timetable() == timetable)
    #expect(try await again.board().timetable == timetable)
    #expect(requests(fake).count == 4)
    let due = try #require(try await again.nextRefreshDate)
    #expect(due.timeIntervalSince(BoardRows.noon).rounded() == 86_400)
    #expect(try await again.lastRefresh == clock.now)
    clock.advance(by: .seconds(43_201))
    try await again.refresh(.scheduled)
    #expect(requests(fake).count > 4)
    #expect(try await again.timetable()?.fetchedAt == clock.now)
    try await again.close()
  }

  @Test("A timetable that hasn't changed is confirmed without its rows, and its age is renewed")
  func confirmed() async throws {
    let fake = FakeMetroFeed(clock: clock)
    let metro = metro(fake)
    try await metro.refresh()
    let first = try await metro.timetable()
    clock.advance(by: .seconds(600))
    let report = try await metro.refresh(.now)
    #expect(report.notices.isEmpty)
    let asked = fake.requests.filter { $0.operation == "metro.tdx.timetable" }.suffix(4)
    #expect(asked.allSatisfy { $0.fields["If-None-Match"] != nil })
    #expect(requests(fake).count == 8)
    let second = try await metro.timetable()
    #expect(second?.timetable.bytes == first?.timetable.bytes)
    #expect(second?.fetchedAt == BoardRows.noon.addingTimeInterval(600))
    // After midnight, the fake has new tags, so everything is read again.
    clock.advance(by: .seconds(86_400))
    try await metro.refresh(.now)
    #expect(fake.requests.last?.fields["If-None-Match"] == nil)
    #expect(try await metro.timetable()?.fetchedAt == clock.now)
  }

  @Test("If one response can't be confirmed, all are requested in full")
  func unconfirmed() async throws {
    let counts = Lock([String: Int]())
    let stub = StubTransport {
      $0.on(
        "metro.tdx.token",
        respond: .json(text: #"{"access_token":"abc","expires_in":86400}"#))
    }
    let transport = Passing { request in
      guard request.operation == "metro.tdx.timetable" else { return try await stub.send(request) }
      let resource = request.url.pathComponents.suffix(2).first ?? ""
      counts.withLock { $0[resource, default: 0] += 1 }
      if request.fields["If-None-Match"] != nil { return TransportResponse(status: 304) }
      let isBoard = resource == "StationTimeTable"
      return TransportResponse(
        status: 200, fields: isBoard ? ["ETag": "\"1\""] : [:],
        body: .bytes(
          isBoard
            ? Array("[\(Fixture.bannan().joined(separator: ","))]".utf8)
            : Fixture.file(Fixture.wenhu)))
    }
    let token = TDXToken(clientID: "a", secret: "b", transport: transport, clock: clock)
    let metro = metro(
      TDXTimetable(token: token, transport: transport, operatorCodes: ["TRTC"]))
    try await metro.refresh(.now)
    try await metro.refresh(.now)
    #expect(counts.withLock { $0 } == ["StationTimeTable": 2, "Frequency": 2])
  }

  @Test("Polling never fetches the timetable before it is due")
  func polled() async throws {
    let source = ScriptedTimetables(.success(Self.file))
    let metro = metro(source)
    var boards = metro.boards(every: .seconds(15)).makeAsyncIterator()
    while let board = await boards.next(), board.timetable == nil {}
    for _ in 0..<3 {
      clock.advance(by: try await clock.nextPoll())
      _ = await boards.next()
    }
    #expect(source.count == 1)
    try await metro.close()
  }

  @Test("If only the timetable fails, the refresh has a notice, and the old timetable stays")
  func failing() async throws {
    let source = ScriptedTimetables(.success(Self.file), .failure(Self.offline))
    let feed = ScriptedFeed(.rows([BoardRows.row("台北車站", "淡水站", 0)]))
    let metro = metro(source, feed)
    try await metro.refresh()
    clock.advance(by: .seconds(86_401))
    let report = try await metro.refresh()
    #expect(report.notices.map(\.code) == [.partFailed])
    let board = try await metro.board()
    #expect(board.timetableFailure?.code == .offline && board.lastFailure == nil)
    #expect(board.timetable?.fetchedAt == BoardRows.noon)
    #expect(feed.count == 2)
    // It's tried again, but not on every visit.
    try await metro.refresh()
    #expect(source.count == 2)
    clock.advance(by: .seconds(61))
    try await metro.refresh()
    #expect(source.count == 3 && feed.count == 4)
  }

  @Test("If only the arrivals fail, the new timetable is stored")
  func arrivalsFail() async throws {
    let metro = metro(
      ScriptedTimetables(.success(Self.file)), ScriptedFeed(.failure(Self.offline)))
    await #expect(throws: FieldError.self) { try await metro.refresh() }
    let board = try await metro.board()
    #expect(board.lastFailure?.code == .offline)
    #expect(!board.departures(at: "西門").isEmpty)
    #expect(board.departures(at: "西門").allSatisfy { $0.basis == .timetable && $0.age == .zero })
  }

  @Test(
    "A timetable that is empty or lacks half of a line's trains is refused, and the old one stays",
    arguments: [
      Array("[]".utf8), Fixture.file(Fixture.bannan(6...12)[0], Fixture.wenhu),
      Array("[\((Fixture.bannan(6...13) + [Fixture.wenhu]).joined(separator: ","))]".utf8),
      Array("[\(Fixture.bannan().joined(separator: ","))]".utf8), Array("<html>".utf8),
      Array(file.dropLast(9)),
    ])
  func refused(next: [UInt8]) async throws {
    let metro = metro(ScriptedTimetables(.success(Self.file), .success(next)))
    try await metro.refresh(.now)
    let before = try await metro.timetable()
    clock.advance(by: .seconds(100))
    let report = try await metro.refresh(.now)
    #expect(report.notices.map(\.code) == [.partFailed])
    let failure = try await metro.board().timetableFailure
    #expect(failure?.code == .transitFeedRefused || failure?.code == .malformed)
    #expect(try await metro.timetable() == before)
    // After erasing, any timetable that has trains is accepted.
    try await metro.eraseAll()
    #expect(try await metro.timetable() == nil)
    #expect(try await metro.board().timetableFailure == nil)
  }

  @Test("Rows that can't be used are in the report of the refresh")
  func failedRows() async throws {
    let rows = Fixture.bannan() + [Fixture.row("X9", to: "BL14", ["06:00"]), Fixture.wenhu]
    let text = "[\(rows.joined(separator: ","))]"
    let stub = StubTransport {
      $0.on(
        "metro.tdx.token",
        respond: .json(text: #"{"access_token":"abc","expires_in":86400}"#))
      $0.on(
        "metro.tdx.timetable",
        respond: .json(
          text: text.replacing(#""DepartureTime":"06:01""#, with: #""DepartureTime":"?""#)))
    }
    let token = TDXToken(clientID: "a", secret: "b", transport: stub, clock: clock)
    let metro = metro(
      TDXTimetable(token: token, transport: stub, operatorCodes: ["TRTC"]))
    let report = try await metro.refresh()
    // Both resources have the same rows here.
    #expect(report.failures.filter { $0.reason.contains("X9") }.count == 2)
    #expect(report.notices.map(\.code) == [.unreadableValues])
    #expect(report.notices.first?.message.contains("? of BL11") == true)
    #expect(try await metro.timetable()?.failures.count == 2)
  }

  @Test("Erasing deletes the timetable, and closing ends the metro with it")
  func erased() async throws {
    let folder = try TemporaryFolder()
    let metro = metro(
      ScriptedTimetables(.success(Self.file), .failure(Self.offline)),
      storage: .directory(folder.url))
    try await metro.refresh(.now)
    try await metro.eraseAll()
    #expect(try await metro.timetable() == nil)
    #expect(try await metro.board().departures(at: "西門").isEmpty)
    try await metro.close()
    await #expect(throws: FieldError.self) { try await metro.timetable() }
    let again = self.metro(ScriptedTimetables(.success(Self.file)), storage: .directory(folder.url))
    #expect(try await again.timetable() == nil)
    try await again.close()
  }

  @Test(
    "A damaged file is reported and its timetable fetched again, and never another one than was stored"
  )
  func damaged() async throws {
    let folder = try TemporaryFolder()
    let first = metro(ScriptedTimetables(.success(Self.file)), storage: .directory(folder.url))
    try await first.refresh(.now)
    let stored = try #require(try await first.timetable())
    try await first.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter { $0.hasPrefix("metro-timetable") }.sorted()
    let file = folder.url.appending(path: try #require(names.first))
    let whole = [UInt8](try Data(contentsOf: file))
    var (kept, lost) = (0, 0)
    for damage in FileDamage.cases(of: [whole], every: 997, seed: 37) {
      // Files beside the store, such as indexes, are made again.
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      where name.hasPrefix("metro-timetable") {
        try FileManager.default.removeItem(at: folder.url.appending(path: name))
      }
      if let bytes = damage.bytes { try Data(bytes).write(to: file) }
      let source = ScriptedTimetables(.success(Self.file))
      let metro = metro(source, storage: .directory(folder.url))
      do {
        if let found = try await metro.timetable() {
          #expect(found.timetable.bytes == stored.timetable.bytes, "\(damage)")
          kept += 1
        } else {
          lost += 1
          try await metro.refresh()
          #expect(source.count == 1, "\(damage)")
          #expect(
            try await metro.timetable()?.timetable.bytes == stored.timetable.bytes, "\(damage)")
        }
      } catch {
        // A file whose beginning is damaged can only be erased.
        #expect(error is FieldError, "\(damage)")
        lost += 1
        try await metro.eraseAll()
        try await metro.refresh(.now)
        #expect(try await metro.timetable()?.timetable.bytes == stored.timetable.bytes)
      }
      try await metro.close()
    }
    #expect(lost > 10)
  }

  @Test("A stored timetable in an older format isn't used, and is fetched again")
  func olderFormat() async throws {
    let store = Storage.inMemory.store("metro-timetable") as any RecordStore<MetroTimetable>
    // The version is behind the eight bytes of the mark.
    let timetable = try Fixture.timetable()
    var text = String(decoding: try JSONEncoder().encode(timetable), as: UTF8.self)
    let bytes = Data(timetable.timetable.bytes)
    var older = bytes
    older[8] = 0
    text = text.replacing(
      bytes.base64EncodedString().replacing("/", with: "\\/"),
      with: older.base64EncodedString().replacing("/", with: "\\/"))
    let record = try JSONDecoder().decode(MetroTimetable.self, from: Data(text.utf8))
    try await store.commit(Changes(upserting: [record]), checkpoint: nil, expecting: nil)
    let source = ScriptedTimetables(.success(Self.file))
    let metro = Metro(
      source: ScriptedFeed(.rows([BoardRows.row("台北車站", "淡水站", 0)])),
      repository: Storage.inMemory.store("metro"), timetable: source, timetableRepository: store,
      clock: clock)
    #expect(try await metro.timetable() == nil)
    #expect(try await metro.board().departures(at: "西門").isEmpty)
    try await metro.refresh()
    #expect(source.count == 1)
    #expect(try await metro.timetable()?.departures(at: "西門", from: clock.now).isEmpty == false)
  }

  @Test("A timetable has the same trains after coding as JSON")
  func coding() throws {
    let timetable = try Fixture.timetable()
    let copy = try JSONDecoder().decode(
      MetroTimetable.self, from: JSONEncoder().encode(timetable))
    #expect(copy == timetable)
    let answer = try copy.journeys(from: "西門", to: "善導寺", departing: clock.now)
    #expect(answer.journeys.map(\.arrival.description) == ["11:45"])
  }

  @Test("TDX has an error for a timetable with too many rows or bytes", arguments: [true, false])
  func limits(ofRows: Bool) async throws {
    let fake = FakeMetroFeed(clock: clock)
    let token = TDXToken(clientID: "client", secret: "secret", transport: fake, clock: clock)
    let source = TDXTimetable(
      token: token, transport: fake,
      limits: ofRows ? FeedLimits(bytes: 64 << 20, rows: 3) : FeedLimits(bytes: 100))
    let error = await #expect(throws: FieldError.self) {
      try await source.fetch(RecordRequest())
    }
    #expect(error?.code == (ofRows ? .feedTooLarge : .responseTooLarge))
    #expect(error?.operation == "metro.tdx.timetable")
  }
}
