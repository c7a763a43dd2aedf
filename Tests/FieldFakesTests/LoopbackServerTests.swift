import Dispatch
import FieldCore
import Foundation
import TestSupport
import Testing

@testable import FieldFakes

/// The bytes on the wire, as another program sees them.
@Suite("The loopback server")
struct LoopbackServerTests {
  @Test("the loopback server passes on the whole request, with its operation")
  func request() async throws {
    let server = try LoopbackServer(serving: Describing())
    let answer = try await Wire.talk(
      to: server,
      "PUT /a%20b/c?d=%2B&e HTTP/1.1\r\nHost: x\r\nX-Operation: zoo.page\r\nX-A: 1\r\nx-a:  2 \r\n"
        + "Content-Length: 3\r\nConnection: close\r\n\r\nabc")
    #expect(answer.hasPrefix("HTTP/1.1 200 \r\n"))
    #expect(
      answer.hasSuffix(
        "\r\n\r\nPUT \(server.url.absoluteString)/a%20b/c?d=%2B&e zoo.page [1, 2] abc"))
  }

  @Test(
    "the loopback server understands a request in any number of parts",
    arguments: [
      "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc",
      "POST /p HTTP/1.1\nHost: x\nContent-Length: 3\nConnection: close\n\nabc",
      "\r\n\r\nPOST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc",
      "POST http://else:1/p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc",
      "POST /p HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc",
      "POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        + "1;ext=1\r\na\r\n02\r\nbc\r\n0\r\nTrailer: t\r\n\r\n",
    ], [true, false])
  func arrival(text: String, isDribbled: Bool) async throws {
    let server = try LoopbackServer(serving: Describing())
    let answer = try await Wire.talk(to: server, text, byteByByte: isDribbled)
    #expect(answer.hasSuffix("POST \(server.url.absoluteString)/p loopback [] abc"), "\(answer)")
  }

  @Test("the loopback server responds to pipelined requests in order, on one connection")
  func pipelined() async throws {
    let server = try LoopbackServer(serving: Describing())
    let next = "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nPOST /2 HTTP/1.1\r\nHost: x\r\n"
    let last = "Content-Length: 2\r\n\r\nhiGET /3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    let answer = try await Wire.talk(to: server, next + last)
    #expect(answer.components(separatedBy: "HTTP/1.1 200").count == 4)
    let places = ["/1 loopback", "/2 loopback [] hi", "/3 loopback"].map {
      answer.range(of: $0)?.lowerBound
    }
    #expect(!places.contains(nil))
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    #expect(server.connectionCount == 1)
  }

  @Test(
    "the loopback server responds to an invalid request with a status, and closes",
    arguments: [
      ("GET\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505),
      ("GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("G{T / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\n: a\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nA: \u{1}\r\n\r\n", 400),
      ("GET * HTTP/1.1\r\nHost: x\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\na", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\na", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\na", 413),
      (
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0",
        400
      ),
      ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n0", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n+1\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n", 413),
      ("\u{16}\u{3}\u{1}", 400),
      ("GET /" + String(repeating: "a", count: 70_000) + " HTTP/1.1\r\nHost: x\r\n\r\n", 431),
      (
        "GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "A: b\r\n", count: 20_000) + "\r\n", 431
      ),
    ])
  func bad(text: String, status: Int) async throws {
    let server = try LoopbackServer(serving: Describing(), bodyLimit: 1000)
    let answer = try await Wire.talk(to: server, text)
    #expect(answer.hasPrefix("HTTP/1.1 \(status) \r\n"), "\(answer)")
    #expect(answer.contains("\r\nConnection: close\r\n"))
    #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
  }

  @Test(
    "the loopback server sends no body where none is allowed",
    arguments: [
      ("HEAD", 200, "Content-Length: 4\r\n" as String?), ("GET", 204, nil), ("GET", 304, nil),
    ], [LoopbackServer.Delivery.whole, .chunked])
  func noBody(
    answer: (method: String, status: Int, length: String?), delivery: LoopbackServer.Delivery
  ) async throws {
    let server = try LoopbackServer(
      serving: Answering { _ in TransportResponse(status: answer.status, body: .text("body")) }
    ) { _ in delivery }
    let text = try await Wire.talk(
      to: server, "\(answer.method) / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(text.hasSuffix("\r\n\r\n"))
    if delivery == .whole { #expect(text.contains("Content-Length") == (answer.length != nil)) }
    if let length = answer.length, delivery == .whole { #expect(text.contains(length)) }
  }

  @Test("the loopback server writes complete chunks, pieces, and truncated bodies up to the cut")
  func wire() async throws {
    let get = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    func wire(_ change: @escaping @Sendable (inout LoopbackServer.Delivery) -> Void) async throws
      -> String
    {
      let server = try LoopbackServer(
        serving: Answering { _ in TransportResponse(status: 200, body: .text("0123456789")) }
      ) { _ in .with(change) }
      return try await Wire.talk(to: server, get)
    }
    let head = "HTTP/1.1 200 \r\n"
    #expect(
      try await wire { _ in }
        == head + "Content-Length: 10\r\nConnection: close\r\n\r\n0123456789")
    #expect(
      try await wire {
        $0.framing = .chunked
        $0.pieceSize = 4
      } == head + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        + "4\r\n0123\r\n4\r\n4567\r\n2\r\n89\r\n0\r\n\r\n")
    #expect(
      try await wire {
        $0.framing = .chunked
        $0.pieceSize = 4
        $0.ending = .close(after: 6)
      } == head + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n4\r\n0123\r\n4\r\n45")
    #expect(
      try await wire { $0.framing = .connectionEnd }
        == head + "Connection: close\r\n\r\n0123456789")
    #expect(
      try await wire { $0.ending = .close(after: 3) }
        == head + "Content-Length: 10\r\nConnection: close\r\n\r\n012")
    #expect(try await wire { $0.ending = .close(after: nil) } == "")
    #expect(try await wire { $0.ending = .reset(after: nil) } == "reset")
  }

  @Test(
    "the loopback server closes without a response if the transport throws, and serves the next one"
  )
  func throwing() async throws {
    let server = try LoopbackServer(
      serving: Answering { request in
        if request.url.path == "/bad" { throw FieldError(.offline, "no") }
        return TransportResponse(status: 200)
      })
    #expect(try await Wire.talk(to: server, "GET /bad HTTP/1.1\r\nHost: x\r\n\r\n") == "")
    let next = try await Wire.talk(
      to: server, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(next.hasPrefix("HTTP/1.1 200 "))
  }

  @Test("the loopback server doesn't let one response field become two")
  func injection() async throws {
    let server = try LoopbackServer(
      serving: Answering { _ in TransportResponse(status: 200, fields: ["A": "b\r\nSet-Cookie: c"])
      })
    let answer = try await Wire.talk(to: server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 500 "))
    #expect(!answer.contains("Set-Cookie"))
  }

  @Test("the loopback server survives clients that leave in the middle of a large response")
  func leaving() async throws {
    let body = [UInt8](repeating: 65, count: 8 << 20)
    let server = try LoopbackServer(
      serving: Answering { _ in TransportResponse(status: 200, body: .bytes(body)) })
    let get = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    for _ in 0..<5 { _ = try await Wire.talk(to: server, get, leavingAfter: 1000) }
    #expect(try await Wire.talk(to: server, get).utf8.count > body.count)
  }

  @Test(
    "the loopback server is understood by http.client",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"),
    arguments: [
      LoopbackServer.Delivery.whole, .chunked, .gzip, .with { $0.coding = .gzipAlways },
      .slow(bytes: 3_000, every: .milliseconds(1)),
      .with {
        $0.framing = .chunked
        $0.coding = .gzip
      },
    ])
  func python(delivery: LoopbackServer.Delivery) async throws {
    let text = (0..<3_000).map { "row \($0 % 61)\n" }.joined()
    let server = try LoopbackServer(
      serving: Answering { _ in TransportResponse(status: 200, body: .text(text)) }
    ) { _ in delivery }
    let script = """
      import gzip, http.client, sys
      connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
      for turn in range(3):
          connection.request("GET", "/", headers={"Accept-Encoding": "br;q=1, gzip"})
          answer = connection.getresponse()
          body = answer.read()
          coded = answer.getheader("Content-Encoding") == "gzip"
      sys.stdout.buffer.write(gzip.decompress(body) if coded else body)
      """
    let port = "\(server.url.port ?? 0)"
    let output = try await Wire.aside { try Tool.run("python3", "-c", script, port) }
    #expect(String(decoding: output, as: UTF8.self) == text)
    #expect(server.connectionCount == 1)
  }

  @Test(
    "the loopback server is understood by curl",
    .enabled(if: Tool.isThere("curl"), "there is no curl here"))
  func curl() async throws {
    let server = try LoopbackServer(
      serving: Answering { request in
        TransportResponse(status: 200, body: request.body ?? .text("nothing"))
      }
    ) { _ in .gzip }
    // Large enough for curl to ask with `Expect: 100-continue` first.
    let body = Data((0..<1_100_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    let address = server.url.absoluteString
    let echo = try await Wire.aside {
      try Tool.run(
        "curl", "-sf", "--compressed", "--data-binary", "@-", "-m", "20", address, input: body)
    }
    #expect(echo == body)
    let chunked = try await Wire.aside {
      try Tool.run(
        "curl", "-sf", "-H", "Transfer-Encoding: chunked", "--data-binary", "@-", "-m", "20",
        address,
        input: body)
    }
    #expect(chunked == body)
  }

  @Test("the loopback server reports the port that it can't use")
  func portTaken() async throws {
    let first = try LoopbackServer(serving: Describing())
    let port = try #require(first.url.port)
    let error = #expect(throws: FieldError.self) {
      try LoopbackServer(serving: Describing(), port: UInt16(port))
    }
    #expect(error?.code == .transport)
    #expect(error?.message.contains("\(port)") == true)
    await first.stop()
  }

  @Test("the loopback server can use a port again as soon as the other server has stopped")
  func portFreed() async throws {
    var attempts = 0
    while true {
      attempts += 1
      let first = try LoopbackServer(serving: Describing())
      let port = try #require(first.url.port)
      await first.stop()
      do {
        return try await LoopbackServer(serving: Describing(), port: UInt16(port)).stop()
      } catch let error as FieldError where attempts < 10 {
        // Another test, whose server or client took any free port, may have been faster.
        #expect(error.code == .transport)
      }
    }
  }

  @Test(
    "the loopback server leaves queues to others, whatever the number of servers",
    .inAnotherProcess, .needsProcesses)
  func manyServers() async {
    #if os(macOS) || os(Linux)
      // In a process of its own, since the threads are those of the process.
      await #expect(processExitsWith: .success) {
        let servers = try (0..<300).map { _ in try LoopbackServer(serving: Describing()) }
        for server in servers {
          let answer = try await Wire.talk(
            to: server, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
          #expect(answer.contains("200"))
        }
        let hasRun = DispatchSemaphore(value: 0)
        DispatchQueue(label: "another").async { hasRun.signal() }
        #expect(hasRun.wait(timeout: .now() + 60) == .success)
        for server in servers { await server.stop() }
      }
    #endif
  }

  #if os(Linux)
    @Test(
      "the loopback server leaves no descriptors behind, stopped or forgotten, idle or busy",
      .inAnotherProcess,
      .needsProcesses)
    func descriptors() async {
      // In a process of its own, since other tests open and close theirs.
      await #expect(processExitsWith: .success) {
        func count() throws -> Int {
          try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        func turn(_ index: Int) async throws {
          let server = try LoopbackServer(serving: Describing()) { request in
            request.url.path == "/never" ? .never : .whole
          }
          let whole = try await Wire.talk(
            to: server, "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
          #expect(whole.contains("200"))
          _ = try await Wire.talk(
            to: server, "GET /never HTTP/1.1\r\nHost: x\r\n\r\n", leavingAfter: 0)
          if index.isMultiple(of: 2) { await server.stop() }
        }
        try await turn(0)
        // The runtime's timers and threads have descriptors of their own, made at the first use.
        try await SystemClock().sleep(for: .milliseconds(300))
        let before = try count()
        for index in 0..<20 { try await turn(index) }
        for _ in 0..<200 where try count() > before {
          try await SystemClock().sleep(for: .milliseconds(10))
        }
        #expect(try count() <= before)
      }
    }
  #endif
}

/// Answers with what it was asked.
struct Describing: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let body = String(decoding: try request.body?.bytes() ?? [], as: UTF8.self)
    let list = request.fields.values(of: "X-A").joined(separator: ", ")
    let line = "\(request.method) \(request.url.absoluteString) \(request.operation) [\(list)]"
    return TransportResponse(status: 200, body: .text(body.isEmpty ? line : line + " " + body))
  }
}

/// A transport that answers with a closure.
struct Answering: Transport {
  let answer: @Sendable (TransportRequest) async throws -> TransportResponse

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await answer(request)
  }
}

extension LoopbackServer.Delivery {
  static func with(_ change: (inout Self) -> Void) -> Self {
    var delivery = Self()
    change(&delivery)
    return delivery
  }
}
