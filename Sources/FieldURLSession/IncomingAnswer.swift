internal import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The part of a response that has arrived so far.
struct IncomingAnswer: Sendable {
  private var receiver: ResponseReceiver?

  /// Receives the head; throws if the announced body is too large or its file can't be created.
  mutating func start(_ response: HTTPURLResponse, for request: TransportRequest) throws {
    let head = TransportResponse.Head(response)
    // Not yet the response (RFC 9110, section 15.2); on Linux the session passes it on.
    guard head.status >= 200 else { return }
    // Another head may follow if the server replaces its response.
    discard()
    let hasBody = request.method != .head && head.status != 204 && head.status != 304
    guard !hasBody || !response.hidesItsEnd else {
      throw FieldError(
        .transport,
        """
        the body is compressed without a Content-Length, so Foundation on Linux can't tell whether \
        it is complete; don't set Accept-Encoding, or use FieldAsyncHTTPClient
        """, response: head)
    }
    receiver = try ResponseReceiver(head, for: request)
  }

  /// Receives a part of the body; throws if the body is too large or can't be written.
  mutating func append(_ data: Data) throws { try receiver?.append(data) }

  /// Returns the response after the session has ended the task, or throws the reason it can't.
  func answer(ending response: HTTPURLResponse?, error: (any Error)?) throws -> TransportResponse {
    if let error { throw failure(error) }
    // Some sessions treat the end of the connection as the end of the body.
    if let receiver { return try receiver.finish() }
    // On Linux, a redirect without a location is only reported at the end, without its body.
    if let response { return try answer(endingEarly: TransportResponse.Head(response)) }
    throw FieldError(.transport, "The session ended without a response.")
  }

  /// Returns a response that is complete before the session reports the end of the task.
  func answer(endingEarly head: TransportResponse.Head) throws -> TransportResponse {
    try receiver?.finish(early: true)
      ?? TransportResponse(status: head.status, fields: head.fields, url: head.url)
  }

  func discard() { receiver?.discard() }

  private func failure(_ error: any Error) -> any Error {
    guard let error = error as? URLError else {
      return FieldError(
        .transport, "The session failed.", response: receiver?.head, underlying: error)
    }
    // After the head, a connection can only fail within the body. On Linux the code isn't specific:
    // a cut is "unknown", or "cannot connect" if another address of the host refused.
    if let receiver, error.code.isLossOfConnection {
      return receiver.bodyCut(underlying: error.withoutAddress)
    }
    return error.fieldError(response: receiver?.head)
  }
}
