internal import FieldCore
internal import FieldFoundation

/// A transport under test and its server.
struct ConformanceProbe: Sendable {
  let transport: any Transport
  let baseURL: URL
  /// The timeout of the requests.
  let patience: Duration
  let clock: any FieldClock = .system

  /// The same server under its other name, which is another host to a client.
  var otherURL: URL {
    var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: false) ?? URLComponents()
    parts.host = parts.host == "localhost" ? "127.0.0.1" : "localhost"
    return parts.url ?? baseURL
  }

  /// Returns a GET request of a path, which may have a query.
  func request(_ path: String, fields: HTTPHeaderFields = [:]) throws -> TransportRequest {
    try request(.get, path, fields: fields)
  }

  func request(
    _ method: TransportRequest.Method, _ path: String, fields: HTTPHeaderFields = [:],
    body: TransportBody? = nil
  ) throws -> TransportRequest {
    guard let url = URL(string: path, relativeTo: baseURL)?.absoluteURL else {
      throw ConformanceMiss("no URL can be formed from \(path)")
    }
    return TransportRequest(
      method, url: url, fields: fields, body: body, timeout: patience,
      operation: "conformance")
  }

  /// Returns the path of a route that redirects.
  func redirection(_ status: Int, to target: String) -> String {
    "/redirect/\(status)?to=\(PercentEncoding.component(target))"
  }

  /// Returns the response to a request that must succeed with a status.
  func answer(_ status: Int = 200, to request: TransportRequest) async throws -> TransportResponse {
    let answer = try await transport.send(request)
    try require(answer.status == status, "\(request.url) gave \(answer.status), not \(status)")
    return answer
  }

  /// Returns a request that must succeed, as the server has seen it.
  func echo(of request: TransportRequest) async throws -> ConformanceEcho {
    try ConformanceEcho(try await answer(to: request))
  }

  /// Sends a quick request, whose connection the next one can reuse.
  ///
  /// Foundation on Linux keeps a thread busy while a request on a new connection waits. Other cases check what
  /// the quick request returns.
  func warmUp() async { _ = try? await transport.send(request("/bytes/10")) }

  /// Returns the error of a request that must fail.
  func error(of request: TransportRequest) async throws -> any Error {
    let answer: TransportResponse
    do {
      answer = try await transport.send(request)
    } catch {
      return error
    }
    throw ConformanceMiss(
      "\(request.url) gave \(answer.status) and \(try answer.body.bytes().count) bytes, no error")
  }

  /// Throws unless a request fails with one of the codes.
  func requireFailure(
    of request: TransportRequest, _ codes: [FieldError.Code], _ what: String
  ) async throws {
    let error = try await error(of: request)
    let code = (error as? FieldError)?.code
    try require(code.map(codes.contains) == true, "\(what) threw \(error), not \(codes)")
  }

  /// Calls a closure with a file URL in a new folder, which is removed afterward.
  func withFile(_ body: (URL) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in try await body(folder.appending(path: "body")) }
  }
}

extension [FieldError.Code] {
  /// The codes that say that there is no response.
  static var noResponse: Self { [.bodyCut, .connectionLost, .transport] }
}

/// Throws a miss with a message unless a condition holds.
package func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw ConformanceMiss(message()) }
}

/// An unexpected observation of a case.
package struct ConformanceMiss: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

// MARK: - Exchanges

extension ConformanceProbe {
  func get() async throws {
    let fields: HTTPHeaderFields = ["X-Field": "a b", "Accept": "application/json"]
    let path = "/echo/a%20b%2Fc?q=%2B%26%20%E7%9F%B3&empty="
    let echo = try await echo(of: request(path, fields: fields))
    try require(echo.method == "GET", "the server saw \(echo.method), not GET")
    try require(echo.path == "/echo/a%20b%2Fc", "the server saw the path \(echo.path)")
    try require(
      echo.query == "q=%2B%26%20%E7%9F%B3&empty=", "the server saw the query \(echo.query ?? "-")")
    try require(echo.field("X-Field") == "a b", "the field X-Field didn't arrive")
    try require(
      echo.field("Accept") == "application/json", "Accept arrived as \(echo.field("Accept") ?? "-")"
    )
    try require(echo.body.isEmpty, "a GET without a body arrived with one")
  }

  func post() async throws {
    let bytes = ConformanceRoutes.pattern(70_000)
    let fields: HTTPHeaderFields = ["Content-Type": "application/x-field"]
    for body in [TransportBody.bytes(bytes), .bytes([])] {
      let echo = try await echo(of: request(.post, "/echo", fields: fields, body: body))
      let sent = try body.bytes()
      try require(echo.method == "POST", "the server saw \(echo.method), not POST")
      try require([UInt8](echo.body) == sent, "\(sent.count) bytes arrived as \(echo.body.count)")
      try require(
        echo.field("Content-Type") == "application/x-field",
        "Content-Type arrived as \(echo.field("Content-Type") ?? "-")")
    }
    try await withFile { url in
      try Data(bytes).write(to: url)
      let echo = try await echo(of: request(.post, "/echo", body: .file(url)))
      try require([UInt8](echo.body) == bytes, "a file's bytes arrived as \(echo.body.count)")
    }
  }

  func head() async throws {
    let answer = try await answer(to: request(.head, "/bytes/1000"))
    try require(try answer.body.bytes().isEmpty, "HEAD returned a body")
  }

  func status() async throws {
    for status in [404, 410, 429, 500, 503] {
      let answer = try await answer(status, to: request("/status/\(status)"))
      try require(answer.body == .text("status \(status)"), "the body of a \(status) is lost")
    }
  }

  func unauthorized() async throws {
    let answer = try await answer(401, to: request("/unauthorized"))
    try require(answer.body == .text("who?"), "the body of a 401 is lost")
    try require(answer.fields["WWW-Authenticate"] != nil, "the challenge of a 401 is lost")
  }

  func fieldNames() async throws {
    let fields = try await answer(to: request("/fields")).fields
    try require(fields["x-mixed-case"] == "One", "a field isn't found in lowercase")
    try require(fields["X-MIXED-CASE"] == "One", "a field isn't found in uppercase")
    try require(
      fields["X-Several"] == "first, second",
      "two fields of one name came as \(fields["X-Several"] ?? "-")")
  }

  func emptyBody() async throws {
    let none = try await answer(204, to: request("/status/204"))
    try require(try none.body.bytes().isEmpty, "204 returned a body")
    let empty = try await answer(to: request("/bytes/0"))
    try require(try empty.body.bytes().isEmpty, "an empty body isn't empty")
  }

  func largeBody() async throws {
    let bytes = try await answer(to: request("/bytes/1048576")).body.bytes()
    try require(
      bytes == ConformanceRoutes.pattern(1 << 20), "a megabyte arrived as \(bytes.count) bytes")
  }

  func chunkedBody() async throws {
    let bytes = try await answer(to: request("/chunked/100000")).body.bytes()
    try require(bytes == ConformanceRoutes.pattern(100_000), "chunks came as \(bytes.count) bytes")
  }

  func gzip() async throws {
    let bytes = try await answer(to: request("/gzip/20000")).body.bytes()
    try require(
      bytes == ConformanceRoutes.pattern(20_000), "compressed bytes became \(bytes.count) bytes")
  }

  func parallel() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          let body = TransportBody.text("body \(number)")
          let echo = try await echo(of: request(.post, "/echo?n=\(number)", body: body))
          try require(
            echo.query == "n=\(number)" && [UInt8](echo.body) == (try body.bytes()),
            "one request received the response to another")
        }
      }
      try await group.waitForAll()
    }
  }
}

// MARK: - Hostile

/// Cases with a hostile or badly broken server.
extension ConformanceProbe {
  func unendingRedirect() async throws {
    var unending = try request("/raw/unendingRedirect")
    unending.timeout = .seconds(1)
    let hasEnded = Lock(false)
    let start = clock.uptime
    async let lateness = lateness()
    // On separate threads, so that a transport that blocks one doesn't block the others.
    let caller = CallerExecutor(threads: 2)
    let first = caller.start { [unending] in
      defer { hasEnded.withLock { $0 = true } }
      return try await transport.send(unending)
    }
    let elsewhere = try request(otherURL.appending(path: "bytes/10").absoluteString)
    let here = try request("/bytes/10")
    repeat {
      for request in [elsewhere, here] {
        let bytes = try await answer(to: request).body.bytes()
        try require(bytes.count == 10, "another request came back with \(bytes.count) bytes")
      }
      try await clock.sleep(for: .milliseconds(5))
    } while !hasEnded.withLock { $0 }
    try requireEnd(await first.result)
    let passed = clock.uptime - start
    try require(try await passed < .seconds(5) + lateness * 10, "1 second took \(passed)")

    unending.timeout = patience
    let second = caller.start { [unending] in try await transport.send(unending) }
    await caller.idle()
    let later = try await self.lateness()
    let cancelStart = clock.uptime
    second.cancel()
    let result = await second.result
    let waited = clock.uptime - cancelStart
    try require(waited < .seconds(4) + later * 10, "canceling took \(waited)")
    if case .failure(let error) = result {
      try require(error is CancellationError, "a canceled redirect threw \(error)")
    }
  }

  /// Checks an endless redirect: a transport may follow it, or give up.
  private func requireEnd(_ result: Result<TransportResponse, any Error>) throws {
    switch result {
    case .success(let answer):
      try require(try answer.body.bytes().count == 10, "a redirect led to \(answer.status)")
    case .failure(let error):
      let code = (error as? FieldError)?.code
      try require(
        code == .timeout || code == .responseTooLarge,
        "an endless redirect threw \(error)")
    }
  }

  func compressedBomb() async throws {
    var bomb = try request("/raw/bomb")
    bomb.responseLimit = 1 << 20
    let before = Self.peakMemory()
    try await requireFailure(of: bomb, [.responseTooLarge], "1 GiB in 1 MB")
    if let before, let after = Self.peakMemory() {
      // Tests that run at the same time use memory, too.
      try require(after - before < 512 << 20, "1 GiB in 1 MB took \((after - before) >> 20) MiB")
    }
  }

  func hugeLength() async throws {
    for path in ["longLength", "length"] {
      try await requireFailure(
        of: request("/raw/\(path)"), .noResponse + [.responseTooLarge], "a length of nine exabytes")
    }
  }

  func cutCompression() async throws {
    for path in ["/raw/cutGzip/0", "/raw/cutGzip/1"] {
      var cut = try request(path)
      // Like a client that accepts everything.
      cut.fields["Accept-Encoding"] = "gzip"
      try await requireFailure(of: cut, .noResponse, "half of a gzipped body")
    }
  }

  func malformed() async throws {
    for (number, text) in ConformanceRoutes.malformed.enumerated() {
      try await requireFailure(
        of: request("/raw/malformed/\(number)"), .noResponse, text.debugDescription)
    }
  }

  func odd() async throws {
    for (number, text) in ConformanceRoutes.odd.enumerated() {
      let answer = try await answer(to: request("/raw/odd/\(number)"))
      try require(answer.body == .text("hi"), "\(text.debugDescription) lost its body")
    }
  }

  func strangeRedirect() async throws {
    for target in [
      "http://[::1", "http://a b/", "//", "///", ":", "%", "?%", "#%zz", "http://h:99999999/",
      "http://h:-1/", "/%00", "\u{7f}", "http:x", "mailto:a", "//:80", "http://%/", "?a=[]|",
      "/\u{1F600}", "http://ü.invalid/", "..//../..", ";", "@", "http://@/", "\\\\h\\a",
      "file:///etc/passwd", "ftp://h/a", "javascript:alert(1)",
    ] {
      do {
        _ = try await transport.send(request(redirection(302, to: target)))
      } catch {
        try require(error is FieldError, "a redirect to \(target) threw \(error)")
      }
    }
  }

  /// The peak memory of the process, in bytes; `nil` if the system doesn't report it.
  private static func peakMemory() -> Int? {
    guard let data = try? Data(contentsOf: URL(filePath: "/proc/self/status")) else { return nil }
    let line = String(decoding: data, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 << 10 }
  }
}

// MARK: - Limits

extension ConformanceProbe {
  func cutBody() async throws {
    // One ends right after the head, one within the length of a buffer, and one far beyond it.
    for count in [1, 1_000, 200_000] {
      try await requireFailure(of: request("/cut/\(count)"), .noResponse, "a truncated body")
    }
  }

  func timeout() async throws {
    // One is silent before its head, and one within its body.
    for path in ["/slow/8000", "/raw/silence"] { try await timeout(of: path) }
  }

  private func timeout(of path: String) async throws {
    var slow = try request(path)
    slow.timeout = .milliseconds(700)
    await warmUp()
    let start = clock.uptime
    async let lateness = lateness()
    try await requireFailure(of: slow, [.timeout], "a slow response")
    let passed = clock.uptime - start
    try require(passed >= .milliseconds(650), "0.7 seconds were over after \(passed)")
    try require(try await passed < .seconds(4) + lateness * 10, "0.7 seconds took \(passed)")
  }

  /// Returns how late a sleep ends: a machine with more tasks than processors is late with
  /// everything, and a transport needs several turns.
  func lateness() async throws -> Duration {
    let start = clock.uptime
    try await clock.sleep(for: .milliseconds(200))
    return max(clock.uptime - start - .milliseconds(200), .zero)
  }

  func responseLimit() async throws {
    for (path, size) in [
      ("/bytes/100000", 100_000), ("/chunked/100000", 100_000), ("/gzip/20000", 20_000),
    ] {
      var request = try request(path)
      request.responseLimit = size
      let whole = try await answer(to: request)
      try require(try whole.body.bytes().count == size, "\(path) is not whole at its limit")
      request.responseLimit = size - 1
      try await requireFailure(of: request, [.responseTooLarge], "\(path) over the limit")
    }
  }

  func fileDestination() async throws {
    try await withFile { url in
      try Data("an older and longer file".utf8).write(to: url)
      for (path, expected) in [
        ("/bytes/3", ConformanceRoutes.pattern(3)),
        ("/chunked/300000", ConformanceRoutes.pattern(300_000)),
        ("/gzip/20000", ConformanceRoutes.pattern(20_000)),
        ("/bytes/0", []),
      ] {
        var request = try request(path)
        request.destination = .file(url)
        let answer = try await answer(to: request)
        try require(answer.body == .file(url), "\(path) gave the body \(answer.body)")
        let bytes = [UInt8](try Data(contentsOf: url))
        try require(bytes == expected, "the file of \(path) has \(bytes.count) bytes")
      }
      var request = try request("/status/404")
      request.destination = .file(url)
      let bytes = try await answer(404, to: request).body.bytes()
      try require(bytes == Array("status 404".utf8), "a 404 arrived with \(bytes.count) bytes")
    }
  }

  func fileOfFailure() async throws {
    try await withFile { url in
      var cut = try request("/cut/100000")
      cut.destination = .file(url)
      var large = try request("/bytes/100000")
      large.destination = .file(url)
      large.responseLimit = 50_000
      for (request, what) in [(cut, "a truncated body"), (large, "a body over the limit")] {
        _ = try await error(of: request)
        let isThere = FileManager.default.fileExists(atPath: url.path)
        try require(!isThere, "\(what) remains in its file")
      }
    }
  }

  func cancellation() async throws {
    let slow = try request("/slow/8000")
    await warmUp()
    let start = clock.uptime
    let caller = CallerExecutor()
    let running = caller.start { try await transport.send(slow) }
    await caller.idle()
    let lateness = try await lateness()
    running.cancel()
    try await requireCancelled(running, "during the request")
    let passed = clock.uptime - start
    try require(passed < .seconds(4) + lateness * 10, "canceling took \(passed)")

    let quick = try request("/bytes/10")
    let late = Task {
      // The sleep ends when the task is canceled, so the request is sent by a canceled task.
      do { try await clock.sleep(for: .seconds(60)) } catch {}
      return try await transport.send(quick)
    }
    late.cancel()
    try await requireCancelled(late, "before the request")
  }

  private func requireCancelled(
    _ task: Task<TransportResponse, any Error>, _ when: String
  ) async throws {
    switch await task.result {
    case .success: throw ConformanceMiss("a task that was canceled \(when) got a response")
    case .failure(let error):
      try require(error is CancellationError, "a task that was canceled \(when) threw \(error)")
    }
  }
}

// MARK: - Redirects

extension ConformanceProbe {
  func redirect() async throws {
    for status in [301, 302, 303, 307, 308] {
      let start = try request(redirection(status, to: "/echo/end?x=1"), fields: ["X-Field": "kept"])
      let answer = try await answer(to: start)
      let echo = try ConformanceEcho(answer)
      try require(
        echo.method == "GET" && echo.path == "/echo/end" && echo.query == "x=1",
        "\(status) led to \(echo.method) \(echo.path)")
      try require(echo.field("X-Field") == "kept", "\(status) lost a field on the same host")
      if let url = answer.url {
        try require(url.path() == "/echo/end", "\(status) reports \(url) as the last URL")
      }
    }
  }

  func redirectedPost() async throws {
    let body = TransportBody.text("the body")
    for status in [307, 308] {
      let echo = try await echo(of: request(.post, redirection(status, to: "/echo"), body: body))
      try require(echo.method == "POST", "\(status) turned a POST into a \(echo.method)")
      try require([UInt8](echo.body) == (try body.bytes()), "\(status) lost the body of a POST")
    }
    let echo = try await echo(of: request(.post, redirection(303, to: "/echo"), body: body))
    try require(echo.method == "GET" && echo.body.isEmpty, "303 didn't turn a POST into a GET")
  }

  func redirectLoop() async throws {
    let error = try await error(of: request("/loop"))
    let code = (error as? FieldError)?.code
    try require(
      code != nil && code != .timeout,
      "endless redirects threw \(error) instead of a FieldError before the timeout")
  }

  func credentials() async throws {
    let secrets: HTTPHeaderFields = [
      "Authorization": "Bearer secret", "Cookie": "session=secret", "X-App-Token": "secret",
      "X-API-Key": "secret",
    ]
    let elsewhere = otherURL.appending(path: "echo").absoluteString
    for status in [301, 302, 303, 307, 308] {
      let seen = try await echo(of: request(redirection(status, to: elsewhere), fields: secrets))
      for (name, _) in secrets {
        try require(seen.field(name) == nil, "\(status) sent \(name) on to another host")
      }
    }
    for status in [302, 307] {
      var start = try request(.post, redirection(status, to: elsewhere), body: .text("secret"))
      start.followsRedirects = false
      let answer = try await transport.send(start)
      try require(
        answer.status == status, "\(status) was followed by a request that follows no redirects")
    }
    let seen = try await echo(of: request(redirection(302, to: "/echo"), fields: secrets))
    try require(seen.field("Authorization") != nil, "Authorization was lost on the same host")
  }
}
