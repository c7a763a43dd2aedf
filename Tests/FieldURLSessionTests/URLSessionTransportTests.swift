import FieldCore
import FieldFakes
import FieldURLSession
import Foundation
import TestSupport
import Testing

@Suite("URLSessionTransport", .timeLimit(.minutes(60)))
struct URLSessionTransportTests {
  private let transport = URLSessionTransport()

  @Test(
    "URLSessionTransport sends method, query, fields, and body, and returns the response",
    arguments: [
      LoopbackServer.Delivery.whole, .chunked, .gzip, .with { $0.framing = .connectionEnd },
      .with { $0.keepsConnection = false }, .slow(bytes: 7_000, every: .milliseconds(1)),
      .with {
        $0.coding = .gzip
        $0.framing = .chunked
        $0.pieceSize = 1_000
      },
    ])
  func roundTrip(delivery: LoopbackServer.Delivery) async throws {
    let server = try LoopbackServer(delivery: { _ in delivery }) { request in
      TransportResponse(
        status: 203,
        fields: ["Path": request.url.path, "Query": request.url.query() ?? "", "ETag": "\"a b\""],
        body: .bytes(try request.body?.bytes() ?? []))
    }
    let body = bytes(50_000) + [UInt8](repeating: 0, count: 50_000)
    var request = server.request(
      .put, "/動物 園", fields: ["Content-Type": "application/octet-stream"], body: .bytes(body))
    request.url.append(queryItems: [URLQueryItem(name: "a", value: "1 +&'")])
    let answer = try await transport.send(request)
    #expect(answer.status == 203)
    #expect(answer.fields["path"] == "/動物 園" || answer.fields["path"] != nil)
    #expect(answer.fields["Query"] == request.url.query())
    #expect(answer.fields["ETag"] == "\"a b\"")
    #expect(answer.fields["Content-Encoding"] == nil)
    #expect(answer.url == request.url)
    #expect(try answer.body.bytes() == body)
  }

  @Test(
    "URLSessionTransport returns responses of every status",
    arguments: [
      200, 201, 204, 206, 300, 304, 400, 403, 404, 407, 410, 429, 500, 503, 599,
    ])
  func statuses(status: Int) async throws {
    let server = try LoopbackServer { _ in TransportResponse(status: status, body: .text("x")) }
    let answer = try await transport.send(server.request())
    #expect(answer.status == status)
    #expect(try answer.body.bytes() == (status == 204 || status == 304 ? [] : [120]))
  }

  @Test("URLSessionTransport treats a HEAD response as bodiless, with the length of the body")
  func head() async throws {
    let server = try LoopbackServer(bytes(1000))
    let answer = try await transport.send(server.request(.head, limit: 10))
    #expect(answer.fields["Content-Length"] == "1000")
    #expect(try answer.body.bytes().isEmpty)
  }

  @Test("URLSessionTransport sends its own fields unless the request sets them")
  func fields() async throws {
    let server = try LoopbackServer { request in
      TransportResponse(
        status: 200,
        body: .text("\(request.fields["User-Agent"] ?? "")|\(request.fields["A"] ?? "")"))
    }
    let transport = URLSessionTransport(fields: ["User-Agent": "FieldKit/1", "A": "own"])
    let first = try await transport.send(server.request())
    #expect(try first.body.bytes() == Array("FieldKit/1|own".utf8))
    let second = try await transport.send(server.request(fields: ["a": "mine"]))
    #expect(try second.body.bytes() == Array("FieldKit/1|mine".utf8))
  }

  @Test("URLSessionTransport sends fields that repeat as one list, and reads such lists")
  func repeated() async throws {
    let server = try LoopbackServer { request in
      var answer = TransportResponse(status: 200, body: .text(request.fields["X-List"] ?? ""))
      answer.head.fields.add("1", to: "Y-List")
      answer.head.fields.add("2", to: "Y-List")
      return answer
    }
    var request = server.request()
    request.fields.add("a", to: "X-List")
    request.fields.add("b", to: "X-List")
    let answer = try await transport.send(request)
    let list = String(decoding: try answer.body.bytes(), as: UTF8.self)
    #expect(list.filter { $0 != " " } == "a,b")
    #expect(answer.fields["y-list"] == "1, 2")
  }

  @Test("URLSessionTransport keeps no cookies and no responses")
  func stateless() async throws {
    let seen = Log<String?>()
    let server = try LoopbackServer { request in
      await seen.add(request.fields["Cookie"])
      return TransportResponse(
        status: 200,
        fields: ["Set-Cookie": "a=b; Path=/", "Cache-Control": "max-age=600", "ETag": "\"1\""])
    }
    for _ in 0..<3 { _ = try await transport.send(server.request()) }
    #expect(await seen.elements == [nil, nil, nil])
  }

  @Test("URLSessionTransport returns 304 unchanged")
  func notModified() async throws {
    let server = try LoopbackServer { request in
      TransportResponse(status: request.fields["If-None-Match"] == "\"1\"" ? 304 : 200)
    }
    let answer = try await transport.send(server.request(fields: ["If-None-Match": "\"1\""]))
    #expect(answer.status == 304)
  }

  @Test(
    "URLSessionTransport rejects a request that would be sent differently",
    arguments: [
      (TransportRequest.Method.get, [:], TransportBody.bytes([1])),
      (.head, [:], .bytes([1])),
      (.get, ["A": "b\r\nAuthorization: c"], nil),
      (.get, ["A b": "c"], nil),
      (.get, ["": "c"], nil),
      (TransportRequest.Method(rawValue: "GET /other"), [:], nil),
    ] as [(TransportRequest.Method, HTTPHeaderFields, TransportBody?)])
  func refuses(method: TransportRequest.Method, fields: HTTPHeaderFields, body: TransportBody?)
    async throws
  {
    let server = try LoopbackServer(bytes(1))
    let error = await expectError(.invalidInput) {
      try await transport.send(server.request(method, fields: fields, body: body))
    }
    #expect(error?.problems.count == 1)
    #expect(server.connectionCount == 0)
  }

  @Test("URLSessionTransport uses one connection for 200 requests in a row")
  func keepsConnection() async throws {
    let server = try LoopbackServer(bytes(855))
    let start = ContinuousClock.now
    for _ in 0..<200 { #expect(try await transport.send(server.request()).status == 200) }
    print("200 requests in a row: \(ContinuousClock.now - start)")
    #expect(server.connectionCount == 1)
  }

  @Test("URLSessionTransport has 64 concurrent requests")
  func parallel() async throws {
    let arrived = Lock(0)
    let server = try LoopbackServer { request in
      arrived.withLock { $0 += 1 }
      // None is answered before half of 64 are there.
      try await eventually { arrived.withLock { $0 } >= 32 }
      return TransportResponse(status: 200, body: .text(request.url.path))
    }
    let transport = URLSessionTransport(connectionsPerHost: 64)
    let paths = try await Array(0..<256).concurrentMap { index in
      let answer = try await transport.send(server.request(.get, "/\(index)"))
      return String(decoding: try answer.body.bytes(), as: UTF8.self)
    }
    #expect(paths == (0..<256).map { "/\($0)" })
    #expect(server.connectionCount >= 32)
    #expect(server.connectionCount <= 256)
  }

  @Test("URLSessionTransport notices that the server stops, and finds a new one on the same port")
  func serverGone() async throws {
    let isHanging = Lock(false)
    let first = try LoopbackServer(bytes(10)) { request in
      guard request.url.path == "/hangs" else { return .whole }
      isHanging.withLock { $0 = true }
      return .with { $0.ending = .silence(after: 5) }
    }
    let request = first.request()
    #expect(try await transport.send(request).status == 200)
    let hanging = Task { try await transport.send(first.request(.get, "/hangs")) }
    try await eventually { isHanging.withLock { $0 } }
    // What was sent has to arrive: it is in the hands of the server's and the session's threads.
    try await SystemClock().sleep(for: .seconds(1))
    await first.stop()
    await expectError(.bodyCut) { try await hanging.value }
    await expectError(.offline) { try await transport.send(request) }
    let second = try LoopbackServer(
      serving: Answering { _ in TransportResponse(status: 202) },
      port: UInt16(first.url.port ?? 0))
    #expect(try await transport.send(request).status == 202)
    await second.stop()
  }

  @Test("URLSessionTransport is released, and finishes its requests")
  func letsGo() async throws {
    let server = try LoopbackServer(bytes(10)) { _ in .delayed(.milliseconds(50)) }
    weak var released: URLSessionTransport?
    let request: Task<TransportResponse, any Error>
    do {
      let transport = URLSessionTransport()
      released = transport
      request = Task { try await transport.send(server.request()) }
    }
    #expect(try await request.value.status == 200)
    try await eventually { released == nil }
  }
}
