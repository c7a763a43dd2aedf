import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("Faults", .timeLimit(.minutes(60)))
struct FaultTransportTests {
  /// Answers ten bytes, into a file when it should.
  struct Base: Transport {
    let count = Lock(0)

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      count.withLock { $0 += 1 }
      guard case .file(let url) = request.destination else {
        return TransportResponse(status: 200, body: .text("0123456789"))
      }
      try Data("0123456789".utf8).write(to: url)
      return TransportResponse(status: 200, body: .file(url))
    }
  }

  let base = Base()

  func request(
    _ operation: String = "test.rows", destination: TransportRequest.Destination = .memory
  ) -> TransportRequest {
    TransportRequest(
      url: address("http://field.test/rows"), destination: destination, operation: operation)
  }

  /// What becomes of so many requests: a status with the body's length, or the code of the error.
  func outcomes(_ transport: FaultTransport, _ count: Int) async throws -> [String] {
    var outcomes: [String] = []
    for _ in 0..<count {
      do {
        let answer = try await transport.send(request())
        outcomes.append("\(answer.status)/\(try answer.body.bytes().count)")
      } catch let error as FieldError {
        outcomes.append(error.code.rawValue)
      }
    }
    return outcomes
  }

  @Test("faults that aren't planned leave everything unchanged")
  func none() async throws {
    let transport = FaultTransport(base)
    #expect(try await outcomes(transport, 3) == ["200/10", "200/10", "200/10"])
    #expect(transport.requestCount == 3)
    #expect(transport.faultCount == 0)
  }

  @Test("faults meet the first requests")
  func first() async throws {
    let transport = FaultTransport(base, .first(2, .drop()))
    let lost = "transport.connectionLost"
    #expect(try await outcomes(transport, 4) == [lost, lost, "200/10", "200/10"])
    #expect(base.count.withLock { $0 } == 2)
    #expect(transport.requestCount == 4)
    #expect(transport.faultCount == 2)
  }

  @Test("faults meet every nth request")
  func every() async throws {
    let transport = FaultTransport(base, .every(3, .status(503)))
    #expect(
      try await outcomes(transport, 7)
        == ["200/10", "200/10", "503/0", "200/10", "200/10", "503/0", "200/10"])
  }

  @Test("faults follow a script")
  func script() async throws {
    let faults: [Fault?] = [.drop(.timeout), nil, .cutBody(after: 4), .truncatedBody(after: 4)]
    let transport = FaultTransport(base, .script(faults))
    #expect(
      try await outcomes(transport, 5)
        == ["transport.timeout", "200/10", "transport.bodyCut", "200/4", "200/10"])
  }

  @Test("faults drawn from a seed are the same every time, and about as many as expected")
  func seeded() async throws {
    let plan = FaultPlan.seeded(7, rate: 0.2, [.drop(), .status(500)])
    let outcomes = try await outcomes(FaultTransport(base, plan), 2_000)
    #expect(try await self.outcomes(FaultTransport(base, plan), 2_000) == outcomes)
    let other = FaultPlan.seeded(8, rate: 0.2, [.drop(), .status(500)])
    #expect(try await self.outcomes(FaultTransport(base, other), 2_000) != outcomes)
    let dropped = outcomes.count { $0 == "transport.connectionLost" }
    let failed = outcomes.count { $0 == "500/0" }
    #expect((120...280).contains(dropped))
    #expect((120...280).contains(failed))
  }

  @Test("faults with rates of zero and one meet none and all", arguments: [(0.0, 0), (1.0, 50)])
  func rates(rate: Double, expected: Int) async throws {
    let transport = FaultTransport(base, .seeded(3, rate: rate, [.status(500)]))
    _ = try await outcomes(transport, 50)
    #expect(transport.faultCount == expected)
  }

  @Test("faults of one operation count and meet only its requests")
  func operation() async throws {
    let transport = FaultTransport(base, .first(1, .status(500)).on("zoo"))
    #expect(try await transport.send(request("metro")).status == 200)
    #expect(try await transport.send(request("zoo")).status == 500)
    #expect(try await transport.send(request("zoo")).status == 200)
  }

  @Test("faults wait for their latency on the clock before the request is sent")
  func latency() async throws {
    let clock = ManualClock()
    let transport = FaultTransport(
      base, .always(.latency(.seconds(2))), .always(.latency(.seconds(3))), clock: clock)
    let task = Task { [request = request()] in try await transport.send(request) }
    clock.advance(by: try await clock.nextSleep())
    #expect(base.count.withLock { $0 } == 0)
    clock.advance(by: try await clock.nextSleep())
    #expect(try await task.value.status == 200)
    #expect(clock.uptime == .seconds(5))
  }

  @Test("faults end with CancellationError if they are canceled during their latency")
  func cancelledLatency() async throws {
    let clock = ManualClock()
    let transport = FaultTransport(base, .always(.latency(.seconds(2))), clock: clock)
    let task = Task { [request = request()] in try await transport.send(request) }
    _ = try await clock.nextSleep()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(base.count.withLock { $0 } == 0)
  }

  @Test("faults that lose the response still send the request")
  func lostResponse() async throws {
    let transport = FaultTransport(base, .always(.lostResponse(.timeout)))
    #expect(try await outcomes(transport, 1) == ["transport.timeout"])
    #expect(base.count.withLock { $0 } == 1)
  }

  @Test("faults throw the exact error that they were given")
  func ownError() async {
    struct Strange: Error {}
    let transport = FaultTransport(base, .always(.failure(Strange())))
    await #expect(throws: Strange.self) { try await transport.send(request()) }
  }

  @Test(
    "faults leave nothing of a file if they fail",
    arguments: [
      Fault.cutBody(after: 4), .lostResponse(),
    ])
  func failedFile(fault: Fault) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "rows")
    let transport = FaultTransport(base, .always(fault))
    await #expect(throws: FieldError.self) {
      try await transport.send(request(destination: .file(file)))
    }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test("faults truncate a file without anybody noticing")
  func truncatedFile() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "rows")
    let transport = FaultTransport(base, .always(.truncatedBody(after: 4)))
    let answer = try await transport.send(request(destination: .file(file)))
    #expect(answer.body == .file(file))
    #expect(try answer.body.bytes() == Array("0123".utf8))
  }

  @Test("faults leave a body whole if it isn't longer than the cut", arguments: [10, 11])
  func longCut(count: Int) async throws {
    let transport = FaultTransport(
      base, .script([.cutBody(after: count), .truncatedBody(after: count)]))
    #expect(try await outcomes(transport, 2) == ["200/10", "200/10"])
  }

  @Test("faults are overcome by retries")
  func retried() async throws {
    let clock = ImmediateClock()
    let faults = FaultTransport(
      base, .seeded(21, rate: 0.4, [.drop(), .status(503), .cutBody(after: 1)]))
    let transport = faults.retrying(
      RetryPolicy(attempts: 20, maximumTotalDelay: .seconds(900)), clock: clock)
    for _ in 0..<100 {
      #expect(try await transport.send(request()).body == .text("0123456789"))
    }
    #expect(faults.requestCount == 100 + faults.faultCount)
    #expect(faults.faultCount > 20)
  }
}
