import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("Stub transport")
struct StubTransportTests {
  func request(
    _ operation: String = "meteorites.snapshot", _ method: TransportRequest.Method = .get,
    url: String = "http://field.test/rows"
  ) -> TransportRequest {
    TransportRequest(method, url: address(url), operation: operation)
  }

  @Test("a stub transport responds to an operation as the architecture document describes")
  func frontDoor() async throws {
    let rows = "[]"
    let transport = StubTransport { $0.on("meteorites.snapshot", respond: .json(text: rows)) }
    let answer = try await transport.send(request())
    #expect(answer.status == 200)
    #expect(answer.fields["content-type"] == "application/json")
    #expect(answer.body == .text("[]"))
    #expect(answer.url == URL(string: "http://field.test/rows"))
    #expect(transport.requests == [request()])
  }

  @Test("a stub transport records an issue and throws for an operation without a stub")
  func miss() async throws {
    let line = #_sourceLocation.line + 1
    let transport = StubTransport { $0.on("meteorites.snapshot", respond: .status(200)) }
    await withKnownIssue {
      let error = await #expect(throws: FieldError.self) {
        try await transport.send(request("zoo.animals", url: "http://field.test/?token=hunter2"))
      }
      #expect(error?.code == .unexpectedRequest)
      #expect(error?.operation == "zoo.animals")
      #expect(error?.message.contains("hunter2") == false)
      #expect(error?.message.contains("meteorites.snapshot") == true)
    } matching: { issue in
      issue.sourceLocation?.line == line && issue.sourceLocation?.fileID == #fileID
    }
    #expect(transport.requests(for: "zoo.animals").count == 1)
  }

  @Test("a stub transport records an issue for every request if there are no stubs")
  func empty() async {
    let transport = StubTransport { _ in }
    await withKnownIssue {
      await #expect(throws: FieldError.self) { try await transport.send(request()) }
    }
  }

  @Test("a stub transport returns a sequence in order, and nothing after it")
  func sequence() async throws {
    let transport = StubTransport {
      $0.on(
        "meteorites.snapshot",
        respond: .sequence(.status(503), .text("a"), .sequence(.text("b"), .error(.timeout))))
    }
    #expect(try await transport.send(request()).status == 503)
    #expect(try await transport.send(request()).body == .text("a"))
    #expect(try await transport.send(request()).body == .text("b"))
    let error = await #expect(throws: FieldError.self) { try await transport.send(request()) }
    #expect(error?.code == .timeout)
    await withKnownIssue {
      await #expect(throws: FieldError.self) { try await transport.send(request()) }
    }
  }

  @Test("a stub transport repeats the last of a sequence on request")
  func repeating() async throws {
    let transport = StubTransport {
      $0.on("meteorites.snapshot", respond: .sequence(.text("a"), .text("b"), repeatingLast: true))
    }
    for expected in ["a", "b", "b", "b"] {
      #expect(try await transport.send(request()).body == .text(expected))
    }
  }

  @Test("a stub transport continues with the next stub if one has no response left")
  func nextStub() async throws {
    let transport = StubTransport {
      $0.on("meteorites.snapshot", respond: .sequence(.text("a")))
      $0.on("meteorites.snapshot", respond: .text("b"))
    }
    #expect(try await transport.send(request()).body == .text("a"))
    #expect(try await transport.send(request()).body == .text("b"))
  }

  @Test("a stub transport distinguishes requests of one operation by method and by anything else")
  func matching() async throws {
    let transport = StubTransport {
      $0.on("notes", method: .post, respond: .text("posted"))
      $0.on("notes", where: { $0.url.query()?.contains("page=2") == true }, respond: .text("2"))
      $0.on("notes", respond: .text("1"))
      $0.onRequest(where: { $0.url.path() == "/photo" }, respond: .bytes([1, 2]))
    }
    #expect(try await transport.send(request("notes", .post)).body == .text("posted"))
    #expect(
      try await transport.send(request("notes", url: "http://a.test/?page=2")).body == .text("2"))
    #expect(try await transport.send(request("notes")).body == .text("1"))
    #expect(
      try await transport.send(request("any", url: "http://a.test/photo")).body == .bytes([1, 2]))
  }

  @Test("a stub transport computes a response in a closure")
  func closure() async throws {
    let transport = StubTransport {
      $0.on("echo") { request in TransportResponse(status: 200, body: .text(request.url.path())) }
      $0.on("other", respond: .answering { _ in TransportResponse(status: 201) })
    }
    #expect(try await transport.send(request("echo")).body == .text("/rows"))
    #expect(try await transport.send(request("other")).status == 201)
  }

  @Test("a stub transport throws the exact error that it was given")
  func ownError() async {
    struct Strange: Error {}
    let transport = StubTransport { $0.on("meteorites.snapshot", respond: .error(Strange())) }
    await #expect(throws: Strange.self) { try await transport.send(request()) }
  }

  @Test("a stub transport respects the limit, the destination, and the method of a request")
  func contract() async throws {
    let folder = try TemporaryFolder()
    let fixture = folder.url.appending(path: "fixture")
    try Data("0123456789".utf8).write(to: fixture)
    let transport = StubTransport { $0.on("meteorites.snapshot", respond: .file(fixture)) }
    #expect(try await transport.send(request()).body == .text("0123456789"))
    #expect(try await transport.send(request("meteorites.snapshot", .head)).body == .bytes([]))

    var limited = request()
    limited.responseLimit = 9
    let error = await #expect(throws: FieldError.self) { try await transport.send(limited) }
    #expect(error?.code == .responseTooLarge)

    var saved = request()
    saved.destination = .file(folder.url.appending(path: "saved"))
    let answer = try await transport.send(saved)
    #expect(answer.body == .file(folder.url.appending(path: "saved")))
    #expect(try answer.body.bytes() == Array("0123456789".utf8))
  }

  @Test("a stub transport keeps an unsuccessful response out of the file of a request")
  func errorPage() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "saved")
    try Data("data".utf8).write(to: file)
    let transport = StubTransport {
      $0.on("meteorites.snapshot", respond: .text("down", status: 503))
    }
    var saved = request()
    saved.destination = .file(file)
    #expect(try await transport.send(saved).body == .text("down"))
    #expect(try Data(contentsOf: file) == Data("data".utf8))
  }

  @Test("a stub transport throws CancellationError in a canceled task, and counts nothing")
  func cancelled() async {
    let transport = StubTransport { $0.on("meteorites.snapshot", respond: .status(200)) }
    let task = Task { [request = request()] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await transport.send(request)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(transport.requests.isEmpty)
  }

  @Test("a stub transport records no issue if all stubs were used")
  func allUsed() async throws {
    let transport = StubTransport {
      $0.on("meteorites.snapshot", respond: .sequence(.status(200), .status(200)))
      $0.on("zoo", respond: .status(200))
    }
    for operation in ["meteorites.snapshot", "zoo", "zoo", "meteorites.snapshot"] {
      _ = try await transport.send(request(operation))
    }
    transport.verifyAllUsed()
  }

  @Test("a stub transport records an issue at the line of each stub that wasn't used up")
  func unused() async throws {
    let line = #_sourceLocation.line
    let transport = StubTransport {
      $0.on("meteorites.snapshot", respond: .sequence(.status(200), .status(200)))
      $0.on("zoo", respond: .status(200))
      $0.on("metro", respond: .status(200))
    }
    _ = try await transport.send(request())
    _ = try await transport.send(request("metro"))
    let lines = Lock<[Int]>([])
    withKnownIssue {
      transport.verifyAllUsed()
    } matching: { issue in
      lines.withLock { $0.append(issue.sourceLocation?.line ?? 0) }
      return true
    }
    #expect(lines.withLock { $0.map { $0 - line } } == [2, 3])
  }

  @Test("a stub transport returns each response of a sequence once, despite concurrent requests")
  func parallel() async throws {
    let transport = StubTransport { stubs in
      for number in 0..<200 {
        stubs.on("meteorites.snapshot", respond: .sequence(.text("\(number)")))
      }
    }
    let bodies = try await withThrowingTaskGroup(of: TransportBody.self) { group in
      for _ in 0..<200 {
        group.addTask { [request = request()] in try await transport.send(request).body }
      }
      return try await group.reduce(into: Set<TransportBody>()) { $0.insert($1) }
    }
    #expect(bodies.count == 200)
    transport.verifyAllUsed()
  }

  @Test("a stub transport fails a request once, under retries too")
  func noRetryOfMisses() async {
    let transport = StubTransport { _ in }
    await withKnownIssue {
      await #expect(throws: FieldError.self) { try await transport.retrying().send(request()) }
    }
    #expect(transport.requests.count == 1)
  }
}
