import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("Logging")
struct LoggingTransportTests {
  /// What is told about one exchange.
  func events(_ base: ScriptedTransport, _ request: TransportRequest) async -> [TransportEvent] {
    let events = Lock<[TransportEvent]>([])
    let transport = base.logging { event in events.withLock { $0.append(event) } }
    _ = await Result(catching: { try await transport.send(request) })
    return events.withLock { $0 }
  }

  @Test("logging reports the start and the response of a request, with size and duration")
  func answered() async throws {
    let clock = ManualClock()
    let base = ScriptedTransport { _ in
      clock.advance(by: .milliseconds(1_520))
      return TransportResponse(status: 200, fields: ["ETag": "\"a\""], body: .text("12345"))
    }
    let events = Lock<[TransportEvent]>([])
    let transport = base.logging(clock: clock) { event in events.withLock { $0.append(event) } }
    _ = try await transport.send(.test(fields: ["Accept": "text/csv"]))
    let told = events.withLock { $0 }
    #expect(
      told.map(\.step) == [
        .started(fields: ["Accept": "text/csv"]),
        .answered(
          status: 200, fields: ["ETag": "\"a\""], bytes: 5, duration: .milliseconds(1_520)),
      ])
    #expect(
      told.map(\.description) == [
        "#1 test.rows GET http://field.test/rows started",
        "#1 test.rows GET http://field.test/rows 200, 5 bytes, 1.52 s",
      ])
  }

  @Test("logging reports the code of an error, and passes the error on")
  func failed() async {
    let events = Lock<[TransportEvent]>([])
    let base = ScriptedTransport(ScriptedTransport.error(.timeout))
    let transport = base.logging { event in events.withLock { $0.append(event) } }
    let error = await #expect(throws: FieldError.self) { try await transport.send(.test()) }
    #expect(error?.code == .timeout)
    #expect(events.withLock { $0.map(\.label) } == ["started", "transport.timeout"])
  }

  @Test(
    "logging has a small set of labels",
    arguments: [
      (200, "2xx"), (304, "3xx"), (404, "4xx"), (503, "5xx"), (999, "other"), (-1, "other"),
    ])
  func labels(status: Int, label: String) async {
    let events = await events(ScriptedTransport(ScriptedTransport.status(status)), .test())
    #expect(events.map(\.label) == ["started", label])
  }

  @Test("logging labels cancellations and foreign errors without quoting them")
  func errorLabels() async {
    struct Strange: Error { var text = "http://secret" }
    let cancelled = await events(
      ScriptedTransport(ScriptedTransport.error(CancellationError())), .test())
    #expect(cancelled.last?.label == "cancelled")
    let strange = await events(ScriptedTransport(ScriptedTransport.error(Strange())), .test())
    #expect(strange.last?.label == "failed")
    #expect(strange.last?.description.contains("secret") == false)
  }

  @Test("logging numbers its requests")
  func numbers() async throws {
    let numbers = Lock<[Int]>([])
    let transport = ScriptedTransport(ScriptedTransport.status(200)).logging { event in
      numbers.withLock { $0.append(event.exchange) }
    }
    for _ in 0..<3 { _ = try await transport.send(.test()) }
    #expect(numbers.withLock { $0 } == [1, 1, 2, 2, 3, 3])
  }

  @Test("logging reports no secret of a request or a response, and no body")
  func secrets() async {
    let request = TransportRequest.test(
      .post, "http://user:hunter2@field.test/p?$$app_token=hunter2&q=stone#access_token=hunter2",
      fields: [
        "authorization": "Bearer hunter2", "X-App-Token": "hunter2", "COOKIE": "hunter2",
        "Proxy-Authorization": "hunter2", "X-API-Key": "hunter2",
      ], body: .text("hunter2"))
    let base = ScriptedTransport(
      ScriptedTransport.status(
        200,
        ["Set-Cookie": "hunter2", "Location": "http://a.test/?X-Amz-Signature=hunter2&page=2"],
        body: "hunter2"))
    let events = await events(base, request)
    #expect(events.count == 2)
    for event in events {
      let everything = "\(event) \(String(reflecting: event))"
      #expect(!everything.contains("hunter2"))
      #expect(event.description.contains("q=stone"))
    }
    guard case .answered(_, let fields, _, _) = events[1].step else {
      Issue.record("no answer was told")
      return
    }
    #expect(fields["Location"] == "http://a.test/?X-Amz-Signature=***&page=2")
  }

  @Test("logging reports the size of a body in a file")
  func fileSize() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "body")
    try Data(repeating: 1, count: 1_234).write(to: file)
    let base = ScriptedTransport { _ in TransportResponse(status: 200, body: .file(file)) }
    let events = await events(base, .test())
    guard case .answered(_, _, let bytes, _) = events[1].step else {
      Issue.record("no answer was told")
      return
    }
    #expect(bytes == 1_234)
  }

  @Test("logging reports every attempt inside retries, and one outcome around them")
  func order() async throws {
    let labels = Lock<[String]>([])
    let transport = ScriptedTransport(ScriptedTransport.status(503), ScriptedTransport.status(200))
      .logging { event in labels.withLock { $0.append("in \(event.label)") } }
      .retrying(clock: ImmediateClock())
      .coalescing()
      .logging { event in labels.withLock { $0.append("out \(event.label)") } }
    _ = try await transport.send(.test())
    #expect(
      labels.withLock { $0 } == [
        "out started", "in started", "in 5xx", "in started", "in 2xx", "out 2xx",
      ])
  }
}
