import AsyncHTTPClient
import FieldAsyncHTTPClient
import FieldCore
import FieldFakes
import Foundation
import Testing

@Suite("AsyncHTTPClientTransport under attack", .timeLimit(.minutes(60)))
struct AttackTests {
  private static let ok = "HTTP/1.1 200 OK\r\n"

  @Test(
    "a head of tens of thousands of lines, or without an end, is refused in less than a second",
    arguments: [
      String(repeating: "a: b\r\n", count: 20_000), String(repeating: "a:\r\n", count: 300),
      "a: " + String(repeating: "b", count: 1 << 20) + "\r\n",
      String(repeating: "b", count: 1 << 20) + ": a\r\n",
    ])
  func head(lines: String) async throws {
    for isEndless in [false, true] {
      var delivery = LoopbackServer.Delivery.whole
      delivery.raw = Array(Self.ok.utf8) + (isEndless ? [] : Array((lines + "\r\n").utf8))
      if isEndless { delivery.repeated = Array(lines.utf8) }
      let start = ContinuousClock.now
      let result = try await Self.answer(to: delivery)
      let error = #expect(throws: FieldError.self) { try result.get() }
      #expect(error?.code == .transport)
      #expect(ContinuousClock.now - start < .seconds(5))
    }
  }

  @Test("a head of 200 equal lines keeps them all")
  func equalLines() async throws {
    let lines = (0..<200).map { "Set-Cookie: a=\($0)\r\n" }.joined()
    let result = try await Self.answer(
      to: .raw(Self.ok + lines + "Content-Length: 2\r\n\r\nhi"))
    #expect(try result.get().fields.values(of: "set-cookie").count == 200)
    #expect(try result.get().body == .text("hi"))
  }

  @Test(
    "a response without an end is cut off at the timeout, or earlier",
    arguments: [
      ("", "HTTP/1.1 100 Continue\r\n\r\n"), ("", "HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n"),
      ("", "\r\n"), ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", "x=y;"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "a: b\r\n"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "00000000"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
      ("HTTP/1.1 302 Found\r\nLocation: /\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
    ])
  func endless(start: String, repeated: String) async throws {
    var delivery = LoopbackServer.Delivery.whole
    delivery.raw = Array(start.utf8)
    delivery.repeated = Array(String(repeating: repeated, count: 1_000).utf8)
    let begin = ContinuousClock.now
    let result = try await Self.answer(to: delivery) {
      $0.timeout = .seconds(1)
      $0.responseLimit = 1 << 20
    }
    #expect(throws: FieldError.self) { try result.get() }
    #expect(ContinuousClock.now - begin < .seconds(10))
  }

  @Test(
    "sizes that can't be true are refused",
    arguments: [
      "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n",
      "Transfer-Encoding: chunked\r\n\r\n7FFFFFFFFFFFFFFF\r\nhi",
      "Transfer-Encoding: chunked\r\n\r\n-1\r\nhi", "Transfer-Encoding: chunked\r\n\r\n1 1\r\nhi",
      "Content-Length: 18446744073709551616\r\n\r\nhi", "Content-Length: -1\r\n\r\nhi",
      "Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi", "Content-Length: 2, 3\r\n\r\nhi",
      "Content-Length: 0x2\r\n\r\nhi", "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi",
      "Content-Encoding: gzip\r\n\r\n\u{1F}",
    ])
  func sizes(rest: String) async throws {
    let result = try await Self.answer(to: .raw(Self.ok + rest))
    #expect(throws: FieldError.self) { try result.get() }
  }

  @Test("an empty body may have a coding")
  func emptyCoded() async throws {
    let result = try await Self.answer(
      to: .raw(Self.ok + "Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n"))
    #expect(try result.get().body.bytes() == [])
  }

  @Test(
    "a timeout can have any length, from below zero to the largest duration",
    arguments: [
      Duration.zero, .seconds(-1), .seconds(Int64.min), .milliseconds(20), .seconds(Int64.max),
      Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
    ])
  func timeouts(timeout: Duration) async throws {
    let isShort = timeout < .seconds(1)
    let result = try await Self.answer(to: isShort ? .never : .raw(Self.ok + "\r\nhi")) {
      $0.timeout = timeout
    }
    if isShort {
      let error = #expect(throws: FieldError.self) { try result.get() }
      #expect(error?.code == .timeout)
    } else {
      #expect(try result.get().body == .text("hi"))
    }
  }

  @Test("a timeout covers all redirects, and their number is limited")
  func redirects() async throws {
    let circle = "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n"
    let endless = try await Self.answer(to: .raw(circle))
    #expect((endless.error as? FieldError)?.code == .tooManyRedirects)
    var slow = LoopbackServer.Delivery.raw(circle)
    slow.delay = .milliseconds(100)
    let start = ContinuousClock.now
    let late = try await Self.answer(to: slow) { $0.timeout = .milliseconds(350) }
    #expect((late.error as? FieldError)?.code == .timeout)
    #expect(ContinuousClock.now - start < .seconds(5))
    for location in [
      String(repeating: "a", count: 60_000), "http://127.0.0.1:0/", "http://[::1%25lo]:1/",
      "//\r\n", "http://user:secret@/", String(repeating: "../", count: 10_000),
    ] {
      let text = "HTTP/1.1 307 Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
      let result = try await Self.answer(to: .raw(text))
      if let error = result.error { #expect(error is FieldError, "\(location.prefix(40))") }
    }
  }

  @Test("a request that is canceled at any moment ends soon, and leaves no file behind")
  func cancellation() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var delivery = LoopbackServer.Delivery.whole
    delivery.pieceSize = 1_000
    delivery.pieceDelay = .milliseconds(1)
    let server = try LoopbackServer(serving: Long()) { [delivery] _ in delivery }
    try await withTransport { transport in
      for number in 0..<200 {
        let file = folder.appending(path: "\(number)")
        let task = Task {
          try await transport.send(
            TransportRequest(url: server.url, destination: .file(file), operation: "test"))
        }
        try await Task.sleep(for: .microseconds(number * 100))
        let start = ContinuousClock.now
        task.cancel()
        let result = await task.result
        #expect(ContinuousClock.now - start < .seconds(5))
        if let error = result.error { #expect(error is CancellationError, "\(error)") }
        #expect(FileManager.default.fileExists(atPath: file.path) == (result.error == nil))
        try? FileManager.default.removeItem(at: file)
      }
    }
    await server.stop()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("a timeout of the HTTP client's own is reported as a timeout, too")
  func clientTimeout() async throws {
    let server = try LoopbackServer(serving: Long()) { _ in .never }
    var configuration = AsyncHTTPClientTransport.configuration
    configuration.timeout.read = .milliseconds(50)
    let client = HTTPClient(configuration: configuration)
    let result = await Task {
      try await AsyncHTTPClientTransport(client).send(
        TransportRequest(url: server.url, operation: "test"))
    }.result
    #expect((result.error as? FieldError)?.code == .timeout)
    try await client.shutdown()
    await server.stop()
  }

  /// Returns the answer that a client makes of a delivery.
  private static func answer(
    to delivery: LoopbackServer.Delivery, _ change: (inout TransportRequest) -> Void = { _ in }
  ) async throws -> Result<TransportResponse, any Error> {
    let server = try LoopbackServer(serving: Long()) { _ in delivery }
    var request = TransportRequest(url: server.url, timeout: .seconds(20), operation: "test")
    change(&request)
    let client = HTTPClient(configuration: AsyncHTTPClientTransport.configuration)
    let result = await Task { [request] in
      try await AsyncHTTPClientTransport(client).send(request)
    }.result
    try await client.shutdown()
    await server.stop()
    return result
  }
}

/// A server's side with a body of 50 KB.
private struct Long: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    TransportResponse(status: 200, body: .bytes([UInt8](repeating: 7, count: 50_000)))
  }
}

extension Result {
  fileprivate var error: (any Error)? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}
