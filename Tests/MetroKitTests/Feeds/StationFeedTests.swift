import FieldCore
import FieldTesting
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("The open feed")
struct StationFeedTests {
  private let date = "Thu, 08 Oct 2026 05:16:40 GMT"

  @Test("the open feed is requested at its URL, and returns rows and the server's time")
  func fetching() async throws {
    let stub = StubTransport {
      $0.on(
        "metro.arrivals", method: .get,
        respond: .json(text: FeedFixture.plain, fields: ["Date": date, "ETag": "\"1\""]))
    }
    let feed = MetroStationFeed(transport: stub, fields: ["User-Agent": "Test"])
    let delivery = try await feed.fetch(RecordRequest())
    #expect(delivery.records.count == 2)
    #expect(delivery.facts.serverDate == Date(timeIntervalSince1970: 1_791_436_600))
    #expect(delivery.facts.origin == MetroStationFeed.presentAddress)
    #expect(
      delivery.facts.validators == [
        "https://tcgmetro.blob.core.windows.net/stationnames/stations.json": HTTPValidators(
          entityTag: "\"1\"")
      ])
    let request = try #require(stub.requests.first)
    #expect(request.fields["User-Agent"] == "Test")
    #expect(request.fields["If-None-Match"] == nil)
    #expect(request.responseLimit == FeedLimits.default.bytes)
    #expect(feed.dataSource?.attribution.contains("臺北大眾捷運") == true)
  }

  @Test("the open feed that hasn't changed isn't sent again")
  func notModified() async throws {
    let stub = StubTransport {
      $0.on("metro.arrivals", respond: .status(304, fields: ["Date": date]))
    }
    let feed = MetroStationFeed(transport: stub)
    let validators = [feed.url.absoluteString: HTTPValidators(entityTag: "\"1\"")]
    let delivery = try await feed.fetch(RecordRequest(validators: validators))
    #expect(delivery.facts.isNotModified)
    #expect(delivery.records.isEmpty)
    #expect(delivery.facts.validators == validators)
    #expect(delivery.facts.serverDate != nil)
    #expect(stub.requests.first?.fields["If-None-Match"] == "\"1\"")
    await expect(.status, from: MetroStationFeed(transport: stub))
  }

  @Test(
    "the open feed fails with a code for each kind of invalid response",
    arguments: [
      (StubTransport.Response.text(FeedFixture.webPage), FieldError.Code.notData),
      (.json(text: "[]"), .emptyFeed), (.json(text: ""), .emptyBody),
      (.json(text: #"[{"Station":"#), .cut), (.status(404), .notFound), (.status(500), .status),
      (.status(429), .tooManyRequests), (.error(.offline), .offline),
      (.error(URLError(.badURL)), .transport),
    ])
  func failures(answer: StubTransport.Response, code: FieldError.Code) async throws {
    let stub = StubTransport { $0.on("metro.arrivals", respond: answer) }
    await expect(code, from: MetroStationFeed(transport: stub))
  }

  @Test("the open feed is limited in size")
  func limits() async throws {
    let stub = StubTransport { $0.on("metro.arrivals", respond: .json(text: FeedFixture.plain)) }
    await expect(
      .responseTooLarge, from: MetroStationFeed(transport: stub, limits: FeedLimits(bytes: 100)))
    await expect(
      .feedTooLarge, from: MetroStationFeed(transport: stub, limits: FeedLimits(rows: 1)))
    // As much as is allowed is read.
    let exact = FeedLimits(bytes: FeedFixture.plain.utf8.count, rows: 2)
    let read = try await MetroStationFeed(transport: stub, limits: exact).fetch(RecordRequest())
    #expect(read.facts.rowCount == 2)
    await expect(
      .responseTooLarge,
      from: MetroStationFeed(
        transport: stub, limits: FeedLimits(bytes: FeedFixture.plain.utf8.count - 1)))
    let empty = StubTransport { $0.on("metro.arrivals", respond: .json(text: "[]")) }
    let lenient = MetroStationFeed(transport: empty, limits: FeedLimits(allowsNoRows: true))
    #expect(try await lenient.fetch(RecordRequest()).facts.rowCount == 0)
  }

  @Test("the open feed stops if its task is canceled")
  func cancellation() async throws {
    let clock = ManualClock()
    let slow = FaultTransport(
      FakeMetroFeed(clock: clock), .always(.latency(.seconds(9))), clock: clock)
    let task = Task { try await MetroStationFeed(transport: slow).fetch(RecordRequest()) }
    _ = try await clock.nextSleep()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("the open feed through data.taipei is read, over as many pages as it takes")
  func openData() async throws {
    let clock = ManualClock()
    let fake = FakeMetroFeed(clock: clock)
    let portal = TaipeiOpenData(transport: fake, form: .retired, pageSize: 2)
    let delivery = try await OpenDataArrivals(portal).fetch(RecordRequest())
    let plain = try await MetroStationFeed(transport: fake).fetch(RecordRequest())
    #expect(delivery.records.count > 4)
    #expect(delivery.records.map(\.station) == plain.records.map(\.station))
    #expect(delivery.records.map(\.sourceID) == (1...delivery.records.count).map { "\($0)" })
    #expect(delivery.facts.serverDate == clock.now)
    #expect(fake.requests.count == (delivery.records.count + 1) / 2 + 1)
    let gone = FakeMetroFeed(
      clock: clock, retiredResources: ["55ec6d6e-dc5c-4268-a725-d04cc262172b"])
    await expect(.datasetRetired, from: OpenDataArrivals(TaipeiOpenData(transport: gone)))
    await expect(.datasetIncomplete, from: OpenDataArrivals(portal, limits: FeedLimits(rows: 3)))
  }

  @Test("the open feed can be read from a file saved in any form")
  func files() async throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in FeedFixture.events {
      let url = folder.url.appending(path: name)
      try Data(bytes).write(to: url)
      let delivery = try await FileRows<Arrival>(url).fetch(RecordRequest())
      #expect(delivery.records.count == 2, "\(name)")
      await expect(.responseTooLarge, from: FileRows<Arrival>(url, limits: FeedLimits(bytes: 10)))
    }
    let link = folder.url.appending(path: "link")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: folder.url.appending(path: FeedFixture.events[0].name))
    #expect(try await FileRows<Arrival>(link).fetch(RecordRequest()).records.count == 2)
    await expect(.io, from: FileRows<Arrival>(folder.url))
    await expect(.io, from: FileRows<Arrival>(folder.url.appending(path: "none")))
    await expect(.invalidInput, from: FileRows<Arrival>(address("https://example.org/a.json")))
  }
}

/// Expects a source to fail with a code, and to say of which operation.
func expect(
  _ code: FieldError.Code, from source: any RecordSource<Arrival>,
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  let error = await #expect(throws: FieldError.self, sourceLocation: sourceLocation) {
    try await source.fetch(RecordRequest())
  }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  #expect(error?.operation?.hasPrefix("metro.") == true, sourceLocation: sourceLocation)
}
