import FieldKit
import FieldTesting
import Foundation
import Testing

// What the article "Testing your code" shows, at work: each slice is a part of the page.

@Suite("The guide to testing your code", .timeLimit(.minutes(60)))
struct TestingYourCode {
  private let rows = FieldTests.rows

  // snippet.stub
  @Test("the first refresh fetches the meteorites, the second sends no request")
  func refreshing() async throws {
    let rows = #"[{"name":"Aachen","id":"1","recclass":"L5","mass":"21","fall":"Fell"}]"#
    let transport = StubTransport { $0.on("meteorites.snapshot", respond: .json(text: rows)) }
    let field = Field(storage: .inMemory, transport: transport, clock: ManualClock())

    try await field.meteorites.refresh()
    let second = try await field.meteorites.refresh()

    #expect(second.outcome == .notDue)
    #expect(transport.requests(for: "meteorites.snapshot").count == 1)
  }
  // snippet.end

  // snippet.sequence
  @Test("a server that is busy twice is asked again, and the response arrives")
  func retrying() async throws {
    let clock = ImmediateClock()
    let transport = StubTransport {
      $0.on("rows", respond: .sequence(.status(503), .error(.timeout), .json(text: "[]")))
    }
    let url = try #require(URL(string: "https://data.example.org/rows"))
    let answer = try await transport.retrying(clock: clock)
      .send(TransportRequest(url: url, operation: "rows"))

    #expect(answer.status == 200)
    #expect(clock.slept.count == 2)
    transport.verifyAllUsed()
  }
  // snippet.end

  // snippet.clock
  @Test("yesterday's data is refreshed, this morning's isn't")
  func aDayLater() async throws {
    let clock = ManualClock()
    let transport = StubTransport {
      $0.on("meteorites.snapshot", respond: .json(text: rows))
    }
    let catalog = MeteoriteCatalog(storage: .inMemory, transport: transport, clock: clock)
    try await catalog.refresh()

    clock.advance(by: .seconds(86_400))
    #expect(try await catalog.refresh().outcome == .notDue)  // exactly a day is still fresh
    clock.advance(by: .seconds(1))
    #expect(try await catalog.refresh().outcome == .unchanged)
  }
  // snippet.end

  // snippet.sleep
  @Test("the second attempt waits for as long as the server requests")
  func waiting() async throws {
    let clock = ManualClock()
    let stub = StubTransport {
      let busy = StubTransport.Response.status(503, fields: ["Retry-After": "7"])
      $0.on("rows", respond: .sequence(busy, .json(text: "[]")))
    }
    let url = try #require(URL(string: "https://data.example.org/rows"))
    async let answer = stub.retrying(clock: clock).send(
      TransportRequest(url: url, operation: "rows"))

    #expect(try await clock.nextSleep() == .seconds(7))  // returns when the transport sleeps
    clock.advance(by: .seconds(7))
    #expect(try await answer.status == 200)
  }
  // snippet.end

  // snippet.faults
  @Test("a failed refresh leaves the old data readable")
  func failing() async throws {
    let stub = StubTransport {
      $0.on("meteorites.snapshot", respond: .json(text: rows))
    }
    let faults = FaultTransport(stub, .script([nil, .drop(.offline)]))
    let catalog = MeteoriteCatalog(storage: .inMemory, transport: faults, clock: ImmediateClock())
    try await catalog.refresh()

    await #expect {
      try await catalog.refresh(.now)
    } throws: { error in
      (error as? FieldError)?.code == .offline
    }
    #expect(try await catalog.view().count == 1)
  }
  // snippet.end

  // snippet.loopback
  @Test("a response truncated by the network is an error, not half a response")
  func cutOff() async throws {
    let stub = StubTransport { $0.on("rows", respond: .json(text: "[1, 2, 3, 4, 5]")) }
    let server = try LoopbackServer(serving: stub) { _ in .cut(after: 6) }
    let request = TransportRequest(
      url: server.url.appending(path: "rows"), fields: ["X-Operation": "rows"], operation: "rows")

    await #expect(throws: FieldError.self) {
      try await URLSessionTransport().send(request)
    }
    await server.stop()
  }
  // snippet.end
}
