internal import FieldCore
internal import FieldFoundation

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
