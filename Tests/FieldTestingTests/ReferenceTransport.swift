import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport

/// A client and a server of the conformance routes in one, that can be told to do one thing wrong.
struct ReferenceTransport: Transport {
  enum Defect: String, CaseIterable {
    case decodesPath, dropsFields, dropsBody, bodyOfHead, throwsStatus, hangsOnUnauthorized
    case losesRepeatedField, failsOnEmpty, losesByte, keepsPacked, acceptsCutBody
    case ignoresRedirect, losesRedirectedBody, keepsMethodOn303, followsForEver, leaksCredentials
    case followsAnyway, ignoresTimeout, wholeSeconds, ignoresLimit, exclusiveLimit,
      ignoresDestination
    case leavesFile, ignoresCancellation, answersWhenCancelled, mixesAnswers
    case acceptsMalformed, rejectsOdd, otherError, blocksOthers, unpacksAll, acceptsLength
    case acceptsHalf
  }

  static let baseURL = address("http://127.0.0.1:9")
  let routes = ConformanceRoutes()
  var defect: Defect?
  let last = Lock<TransportResponse?>(nil)
  let isBlocked = Lock(false)

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    if defect != .answersWhenCancelled { try Task.checkCancellation() }
    let work = Task { try await exchange(request) }
    let timeout =
      switch defect {
      case .ignoresTimeout: Duration.seconds(60)
      case .wholeSeconds: Duration.seconds(request.timeout.components.seconds)
      default: request.timeout
      }
    let (outcomes, continuation) = AsyncStream<Result<TransportResponse, any Error>>.makeStream()
    let waiter = Task { continuation.yield(await work.result) }
    let alarm = Task {
      try await Task.sleep(for: timeout)
      continuation.yield(.failure(FieldError(.timeout, "too slow")))
    }
    defer {
      work.cancel()
      waiter.cancel()
      alarm.cancel()
    }
    if defect == .ignoresCancellation || defect == .answersWhenCancelled {
      let outcome = await Task.detached { await outcomes.first { _ in true } }.value
      guard let outcome else { throw CancellationError() }
      return try outcome.get()
    }
    for await outcome in outcomes { return try outcome.get() }
    throw CancellationError()
  }

  private func exchange(_ request: TransportRequest) async throws -> TransportResponse {
    var answer = try await follow(request)
    if case .raw = ConformanceRoutes.wire(for: request) { return try await hostile(request) }
    if defect == .throwsStatus, !answer.isSuccess { throw FieldError(.status, "\(answer.status)") }
    if defect == .hangsOnUnauthorized, answer.status == 401 {
      try await Task.sleep(for: .seconds(3_600))
    }
    if defect == .losesRepeatedField, answer.fields["X-Several"] != nil {
      answer.head.fields["X-Several"] = "second"
    }
    var bytes = try answer.body.bytes()
    if defect == .failsOnEmpty, bytes.isEmpty { throw FieldError(.emptyBody, "nothing came") }
    let wire = ConformanceRoutes.wire(for: request)
    if wire == .gzip, defect == .keepsPacked { bytes = [0x1F, 0x8B] + bytes.prefix(2_000) }
    if defect == .losesByte, bytes.count > 50_000 { bytes.remove(at: 40_000) }
    if request.method == .head, defect != .bodyOfHead { bytes = [] }
    if case .cut(let count) = wire { bytes = Array(bytes.prefix(count)) }
    if case .cut = wire, defect != .acceptsCutBody {
      if defect == .leavesFile, case .file(let url) = request.destination {
        try Data(bytes).write(to: url)
      } else if case .file(let url) = request.destination {
        try? FileManager.default.removeItem(at: url)
      }
      throw FieldError(.bodyCut, "cut")
    }
    let limit = defect == .exclusiveLimit ? request.responseLimit - 1 : request.responseLimit
    guard bytes.count <= limit || defect == .ignoresLimit else {
      throw FieldError(.responseTooLarge, "too large")
    }
    answer.body = .bytes(bytes)
    if case .file(let url) = request.destination, defect != .ignoresDestination {
      try Data(bytes).write(to: url)
      answer.body = .file(url)
    }
    if defect == .mixesAnswers {
      let previous = last.withLock { last in
        defer { last = answer }
        return last
      }
      if request.url.query()?.hasPrefix("n=") == true { return previous ?? answer }
    }
    return answer
  }

  /// Returns what a correct client makes of a verbatim response.
  private func hostile(_ request: TransportRequest) async throws -> TransportResponse {
    let name = request.url.pathComponents[2]
    switch (name, defect) {
    case ("malformed", .acceptsMalformed), ("bomb", .unpacksAll), ("length", .acceptsLength),
      ("cutGzip", .acceptsHalf):
      return TransportResponse(status: 200)
    case ("malformed", _), ("cutGzip", _): throw FieldError(.bodyCut, "cut")
    case ("odd", .rejectsOdd): throw FieldError(.transport, "odd")
    case ("odd", _): return TransportResponse(status: 200, body: .text("hi"))
    case ("unendingRedirect", _), ("silence", _):
      isBlocked.withLock { $0 = defect == .blocksOthers && name == "unendingRedirect" }
      try await Task.sleep(for: .seconds(3_600))
      return TransportResponse(status: 200)
    default: throw FieldError(.responseTooLarge, "too large")
    }
  }

  private func follow(_ start: TransportRequest) async throws -> TransportResponse {
    var request = start
    if defect == .dropsFields { request.fields = [:] }
    if defect == .dropsBody { request.body = nil }
    if defect == .decodesPath {
      request.url = address(request.url.absoluteString.replacing("%20", with: "+"))
    }
    if isBlocked.withLock({ $0 }) { try await Task.sleep(for: .seconds(3_600)) }
    for _ in 0..<(defect == .followsForEver ? Int.max : 20) {
      try Task.checkCancellation()
      // Slowly, since the request takes as long as its timeout.
      if defect == .followsForEver { try await Task.sleep(for: .milliseconds(1)) }
      var answer = try await routes.send(request)
      answer.head.url = request.url
      guard (300...399).contains(answer.status), defect != .ignoresRedirect,
        start.followsRedirects || defect == .followsAnyway,
        let location = answer.fields["Location"],
        let url = URL(string: location, relativeTo: request.url)?.absoluteURL
      else { return answer }
      if url.scheme != "http", defect == .otherError { throw URLError(.unsupportedURL) }
      if url.host() != request.url.host(), defect != .leaksCredentials {
        for name in ["Authorization", "Cookie", "X-App-Token", "X-API-Key"] {
          request.fields[name] = nil
        }
      }
      if answer.status == 303, defect != .keepsMethodOn303 {
        request.method = .get
        request.body = nil
      } else if defect == .losesRedirectedBody {
        request.body = nil
      }
      request.url = url
    }
    throw FieldError(.transport, "too many redirects")
  }
}
