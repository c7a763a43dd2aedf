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
