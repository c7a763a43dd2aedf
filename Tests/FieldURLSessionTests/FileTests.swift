import FieldCore
import FieldFakes
import FieldURLSession
import Foundation
import TestSupport
import Testing

@Suite("Files as bodies and destinations")
struct FileTests {
  private let transport = URLSessionTransport()
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appending(path: "photo.jpg")
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path) }
  }

  @Test(
    "a file receives the body, and replaces an existing one",
    arguments: [
      LoopbackServer.Delivery.whole, .chunked, .gzip,
    ])
  func success(delivery: LoopbackServer.Delivery) async throws {
    let body = bytes(300_000)
    let server = try LoopbackServer(body) { _ in delivery }
    for _ in 1...2 {
      let answer = try await transport.send(server.request(to: .file(file)))
      #expect(answer.body == .file(file))
      #expect(try answer.body.bytes() == body)
      #expect(try names == ["photo.jpg"])
    }
  }

  @Test("an empty body is an empty file")
  func empty() async throws {
    let server = try LoopbackServer([])
    #expect(try await transport.send(server.request(to: .file(file))).body == .file(file))
    #expect(try Data(contentsOf: file).isEmpty)
  }

  @Test("a failure leaves no file, and keeps an existing one", arguments: [true, false])
  func failure(isThere: Bool) async throws {
    if isThere { try Data("old".utf8).write(to: file) }
    let body = bytes(300_000)
    let cut = try LoopbackServer(body) { _ in .cut(after: 100_000) }
    await expectError(.bodyCut) { try await transport.send(cut.request(to: .file(file))) }
    let large = try LoopbackServer(body) { _ in .chunked }
    await expectError(.responseTooLarge) {
      try await transport.send(large.request(limit: 200_000, to: .file(file)))
    }
    let slow = try LoopbackServer(body) { request in
      request.url.path == "/quick" ? .whole : .with { $0.ending = .silence(after: 100_000) }
    }
    // Foundation keeps a thread busy while a request on a new connection waits.
    _ = try await transport.send(slow.request(.get, "/quick"))
    await expectError(.timeout) {
      try await transport.send(slow.request(timeout: .milliseconds(200), to: .file(file)))
    }
    let task = Task { try await transport.send(slow.request(to: .file(file))) }
    try await SystemClock().sleep(for: .milliseconds(100))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try names == (isThere ? ["photo.jpg"] : []))
    if isThere { #expect(try Data(contentsOf: file) == Data("old".utf8)) }
  }

  @Test(
    "an unsuccessful response stays in memory, and doesn't touch the file",
    arguments: [
      304, 401, 404, 500,
    ])
  func noSuccess(status: Int) async throws {
    try Data("old".utf8).write(to: file)
    let server = try LoopbackServer { _ in
      TransportResponse(
        status: status, fields: ["WWW-Authenticate": "Basic realm=\"a\""], body: .text("page"))
    }
    let answer = try await transport.send(server.request(to: .file(file)))
    #expect(answer.status == status)
    #expect(answer.body == (status == 304 ? .bytes([]) : .text("page")))
    #expect(try Data(contentsOf: file) == Data("old".utf8))
    #expect(try names == ["photo.jpg"])
  }

  @Test("the body of a redirect doesn't reach the file")
  func redirect() async throws {
    let server = try LoopbackServer { request in
      request.url.path == "/start"
        ? TransportResponse(status: 302, fields: ["Location": "/end"], body: .text("moved"))
        : TransportResponse(status: 200, body: .text("photo"))
    }
    let answer = try await transport.send(server.request(.get, "/start", to: .file(file)))
    #expect(try answer.body.bytes() == Array("photo".utf8))
    #expect(try names == ["photo.jpg"])
  }

  @Test("a file that can't be created is a separate error")
  func noFolder() async throws {
    let server = try LoopbackServer(bytes(10))
    let nowhere = folder.url.appending(path: "missing/photo.jpg")
    await expectError(.io) { try await transport.send(server.request(to: .file(nowhere))) }
    let isFolder = folder.url.appending(path: "folder")
    try FileManager.default.createDirectory(
      at: isFolder.appending(path: "child"), withIntermediateDirectories: true)
    await expectError(.io) { try await transport.send(server.request(to: .file(isFolder))) }
    #expect(try names == ["folder"])
  }

  @Test("a body is read from a file")
  func upload() async throws {
    let body = bytes(1_100_000)
    try Data(body).write(to: file)
    let server = try LoopbackServer { request in
      TransportResponse(status: 200, body: .text("\(try request.body?.bytes() == body)"))
    }
    let answer = try await transport.send(server.request(.post, body: .file(file)))
    #expect(try answer.body.bytes() == Array("true".utf8))
  }

  @Test("a missing body file is an error, and nothing is sent")
  func missing() async throws {
    let server = try LoopbackServer(bytes(1))
    await expectError(.io) { try await transport.send(server.request(.post, body: .file(file))) }
    #expect(server.connectionCount == 0)
  }
}
