import FieldCore
import FieldFakes
import FieldURLSession
import Foundation
import Testing

/// A transport that answers with a closure.
struct Answering: Transport {
  let answer: @Sendable (TransportRequest) async throws -> TransportResponse

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await answer(request)
  }
}

extension LoopbackServer {
  /// A server that answers with a closure.
  convenience init(
    delivery: @escaping @Sendable (TransportRequest) -> Delivery = { _ in .whole },
    answer: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
  ) throws {
    try self.init(serving: Answering(answer: answer), delivery: delivery)
  }

  /// A server that answers everything with the same body.
  convenience init(
    _ body: [UInt8], delivery: @escaping @Sendable (TransportRequest) -> Delivery = { _ in .whole }
  ) throws {
    try self.init(delivery: delivery) { _ in TransportResponse(status: 200, body: .bytes(body)) }
  }

  func request(
    _ method: TransportRequest.Method = .get, _ path: String = "/", fields: HTTPHeaderFields = [:],
    body: TransportBody? = nil, timeout: Duration = .seconds(1_200), limit: Int = 1 << 30,
    to destination: TransportRequest.Destination = .memory
  ) -> TransportRequest {
    TransportRequest(
      method, url: url.appending(path: path), fields: fields, body: body, timeout: timeout,
      responseLimit: limit, destination: destination, operation: "test")
  }
}

/// What has been seen, in order.
actor Log<Element: Sendable> {
  private(set) var elements: [Element] = []

  func add(_ element: Element) { elements.append(element) }
}

/// The error that the work threw; an issue when it threw none, or one of another code.
@discardableResult
func expectError(
  _ code: FieldError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ work: () async throws -> TransportResponse
) async -> FieldError? {
  do {
    let answer = try await work()
    Issue.record("no error, but status \(answer.status)", sourceLocation: sourceLocation)
  } catch let error as FieldError {
    #expect(error.code == code, sourceLocation: sourceLocation)
    return error
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return nil
}

/// Bytes that a seed determines.
func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 33)
  }
}
