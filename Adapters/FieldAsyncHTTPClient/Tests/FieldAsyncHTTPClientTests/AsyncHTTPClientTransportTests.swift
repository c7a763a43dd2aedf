import AsyncHTTPClient
import FieldAsyncHTTPClient
import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import NIOCore
import Synchronization
import Testing

@Suite("AsyncHTTPClientTransport", .timeLimit(.minutes(60)))
struct AsyncHTTPClientTransportTests {
  @Test("AsyncHTTPClientTransport satisfies the contract of a transport, with hostile servers")
  func conformance() async throws {
    try await withTransport { transport in
      try await TransportConformance.run { transport }
    }
  }

  @Test("the adapter's transport streams a file to a file, and keeps an existing one if it fails")
  func files() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (upload, download) = (folder.appending(path: "up"), folder.appending(path: "down"))
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }
    try Data(bytes).write(to: upload)
    let server = try LoopbackServer(serving: Echo())
    var request = TransportRequest(
      .post, url: server.url, body: .file(upload), destination: .file(download), operation: "test")
    try await withTransport { [request] transport in
      let answer = try await transport.send(request)
      #expect(answer.body == .file(download))
    }
    #expect(try Data(contentsOf: download) == Data(bytes))

    request.responseLimit = 2_999_999
    try await withTransport { [request] transport in
      let result = await Task { try await transport.send(request) }.result
      #expect(throws: FieldError.self) { try result.get() }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    await server.stop()
  }

  @Test("a request on a kept connection that closes is sent again if that is safe")
  func lostConnection() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("body".utf8).write(to: file)
    let text = TransportBody.text("body")
    for (method, body, isIdempotent, losses, received) in [
      (TransportRequest.Method.get, nil, nil, 1, 2), (.get, nil, nil, 2, 3), (.get, nil, nil, 9, 3),
      (.get, nil, false, 1, 1), (.put, text, true, 2, 3), (.post, .file(file), true, 2, 3),
      (.post, text, nil, 1, 1), (.post, .file(file), nil, 1, 1), (.post, nil, nil, 1, 1),
      (.post, .bytes([]), nil, 1, 1),
      (.post, .bytes([UInt8](repeating: 0, count: 5 << 20)), nil, 1, 1),
    ] as [(TransportRequest.Method, TransportBody?, Bool?, Int, Int)] {
      let count = Atomic(0)
      let server = try LoopbackServer(serving: Echo()) { request in
        guard request.url.path == "/lost" else { return .whole }
        return count.add(1, ordering: .relaxed).newValue <= losses ? .cut(after: nil) : .whole
      }
      try await withTransport { transport in
        _ = try await transport.send(TransportRequest(url: server.url, operation: "test"))
        let request = TransportRequest(
          method, url: server.url.appending(path: "lost"), body: body, operation: "test",
          isIdempotent: isIdempotent)
        let result = await Task { try await transport.send(request) }.result
        let name = "\(method) with \(losses) losses"
        #expect(count.load(ordering: .relaxed) == received, "\(name)")
        switch result {
        case .success(let answer):
          #expect(received > losses, "\(name)")
          #expect(try answer.body.bytes() == body?.bytes() ?? [], "\(name)")
        case .failure(let error):
          #expect(received <= losses, "\(name)")
          #expect((error as? FieldError)?.code == .connectionLost, "\(name)")
        }
      }
      await server.stop()
    }
  }

  @Test("requests survive that a server has just closed a connection, and no POST is repeated")
  func closingServer() async throws {
    let posts = Atomic(0)
    let server = try LoopbackServer(serving: Echo()) { request in
      if request.method == .post { posts.add(1, ordering: .relaxed) }
      return .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi there")
    }
    try await withTransport { transport in
      var answers = 0
      for _ in 1...200 {
        let get = TransportRequest(url: server.url, operation: "test")
        #expect(try await transport.send(get).body == .text("hi"))
        let post = TransportRequest(.post, url: server.url, body: .text("a"), operation: "test")
        do {
          _ = try await transport.send(post)
          answers += 1
        } catch let error as FieldError {
          #expect(error.code == .connectionLost)
          // Nothing was written, so it could have been sent again.
          #expect(error.underlying as? ChannelError != .ioOnClosedChannel)
        }
      }
      #expect(posts.load(ordering: .relaxed) == answers)
    }
    await server.stop()
  }

  @Test("a redirect that can't be followed is a response with its body", arguments: [300, 302])
  func noRedirect(status: Int) async throws {
    var delivery = LoopbackServer.Delivery.whole
    delivery.raw = Array("HTTP/1.1 \(status) No\r\nContent-Length: 7\r\n\r\nchoices".utf8)
    let server = try LoopbackServer(serving: Echo()) { [delivery] _ in delivery }
    try await withTransport { transport in
      let answer = try await transport.send(TransportRequest(url: server.url, operation: "test"))
      #expect(answer.status == status)
      #expect(answer.body == .text("choices"))
    }
    await server.stop()
  }

  @Test("the adapter's transport rejects what isn't HTTP, and names the host that can't be reached")
  func errors() async throws {
    try await withTransport { transport in
      for (address, code) in [
        ("ftp://127.0.0.1/", FieldError.Code.invalidInput), ("http://127.0.0.1:1/", .offline),
        ("http://127.0.0.1:99999/", .invalidInput), ("http://field.invalid/", .offline),
      ] {
        let url = try #require(URL(string: address))
        do {
          _ = try await transport.send(TransportRequest(url: url, operation: "test"))
          Issue.record("\(address) answered")
        } catch let error as FieldError {
          #expect(error.code == code, "\(address)")
          #expect(error.operation == "test")
          #expect(error.message.hasPrefix("\(url.host ?? ""): "), "\(error.message)")
        }
      }
    }
  }

  @Test("a timeout names the host once")
  func timeout() async throws {
    let server = try LoopbackServer(serving: Echo()) { _ in .never }
    try await withTransport { transport in
      let request = TransportRequest(
        url: server.url, timeout: .milliseconds(50), operation: "test")
      let result = await Task { try await transport.send(request) }.result
      let error = #expect(throws: FieldError.self) { try result.get() }
      #expect(error?.code == .timeout)
      #expect(error?.message.components(separatedBy: "127.0.0.1: ").count == 2)
    }
    await server.stop()
  }

  #if os(Linux)
    @Test("1 GiB in 1 MB of gzip takes little memory")
    func bomb() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        let server = try LoopbackServer(serving: Echo()) { _ in Self.bomb }
        try await withTransport { transport in
          var request = TransportRequest(url: server.url, operation: "test")
          request.responseLimit = 1 << 20
          let before = peakMemory()
          let start = ContinuousClock.now
          let result = await Task { [request] in try await transport.send(request) }.result
          let (time, memory) = (ContinuousClock.now - start, peakMemory() - before)
          print("bomb: \(time), \(memory >> 10) KiB")
          #expect(throws: FieldError.self) { try result.get() }
          #expect(memory < 32 << 20)
        }
      }
      print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }

    private static let bomb: LoopbackServer.Delivery = {
      var delivery = LoopbackServer.Delivery()
      let start: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xED, 0xC0, 0x81, 0x00, 0x00,
        0x00, 0x00, 0x80, 0xA0, 0xFD, 0xA9, 0x17, 0xA9, 0x00,
      ]
      delivery.raw =
        Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8) + start
        + [UInt8](repeating: 0, count: 2_080_000)
      return delivery
    }()
  #endif
}

/// A server's side that returns the body.
private struct Echo: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    TransportResponse(status: 200, body: .bytes(try request.body?.bytes() ?? []))
  }
}

/// Calls a closure with a transport, and shuts its client down.
func withTransport(
  _ body: @Sendable (AsyncHTTPClientTransport) async throws -> Void
) async throws {
  let client = HTTPClient(configuration: AsyncHTTPClientTransport.configuration)
  do {
    try await body(AsyncHTTPClientTransport(client))
  } catch {
    try await client.shutdown()
    throw error
  }
  try await client.shutdown()
}

/// The peak memory of the process, in bytes.
private func peakMemory() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) << 10
}
