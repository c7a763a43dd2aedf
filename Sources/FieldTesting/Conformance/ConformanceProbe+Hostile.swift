internal import FieldCore
internal import FieldFoundation

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
