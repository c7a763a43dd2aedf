internal import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The part of a response that has arrived so far.
struct IncomingAnswer: Sendable {
  private var head: TransportResponse.Head?
  private var bytes: [UInt8] = []
  private var file: PartialFile?
  private var count = 0

  /// Receives the head; throws if the announced body is too large or its file can't be created.
  mutating func start(_ response: HTTPURLResponse, for request: TransportRequest) throws {
    let head = TransportResponse.Head(response)
    // Not yet the response (RFC 9110, section 15.2); on Linux the session passes it on.
    guard head.status >= 200 else { return }
    // Another head may follow if the server replaces its response.
    discard()
    self = IncomingAnswer()
    self.head = head
    let hasBody = request.method != .head && head.status != 204 && head.status != 304
    guard !hasBody || !response.hidesItsEnd else {
      throw FieldError(
        .transport,
        """
        the body is compressed without a Content-Length, so Foundation on Linux can't tell whether \
        it is complete; don't set Accept-Encoding, or use FieldAsyncHTTPClient
        """, response: head)
    }
    let announced = head.announcedLength(to: request) ?? 0
    guard announced <= request.responseLimit else { throw Self.tooLarge(request, head) }
    if case .file(let url) = request.destination, (200...299).contains(head.status) {
      file = try PartialFile(for: url)
    } else {
      bytes.reserveCapacity(min(announced, 1 << 20))
    }
  }

  /// Receives a part of the body; throws if the body is too large or can't be written.
  mutating func append(_ data: Data, for request: TransportRequest) throws {
    count += data.count
    guard count <= request.responseLimit else { throw Self.tooLarge(request, head) }
    if let file { try file.append(data) } else { bytes.append(contentsOf: data) }
  }

  /// Returns the response after the session has ended the task, or throws the reason it can't.
  func answer(
    to request: TransportRequest, ending response: HTTPURLResponse?, error: (any Error)?
  ) throws -> TransportResponse {
    if let error { throw failure(error, to: request) }
    guard let head else {
      // On Linux, a redirect without a location is only reported at the end, without its body.
      if let response { return try answer(endingEarly: TransportResponse.Head(response)) }
      throw FieldError(.transport, "the session ended without a response")
    }
    // Some sessions treat the end of the connection as the end of the body.
    if let announced = head.announcedLength(to: request), count < announced {
      throw Self.cut(head, count, announced, nil)
    }
    guard let file else { return TransportResponse(head, body: .bytes(bytes)) }
    try file.commit()
    return TransportResponse(head, body: .file(file.url))
  }

  /// Returns a response that is complete before the session reports the end of the task.
  func answer(endingEarly head: TransportResponse.Head) throws -> TransportResponse {
    TransportResponse(self.head ?? head, body: .bytes(bytes))
  }

  /// Removes what was written.
  func discard() { file?.discard() }

  private func failure(_ error: any Error, to request: TransportRequest) -> any Error {
    guard let error = error as? URLError else {
      return FieldError(.transport, "the session failed", response: head, underlying: error)
    }
    // After the head, a connection can only fail within the body. On Linux the code isn't specific:
    // a cut is "unknown", or "cannot connect" if another address of the host refused.
    if let head, error.code.isLossOfConnection {
      return Self.cut(head, count, head.announcedLength(to: request), error)
    }
    return error.fieldError(response: head)
  }

  private static func tooLarge(_ request: TransportRequest, _ head: TransportResponse.Head?)
    -> FieldError
  {
    FieldError(
      .responseTooLarge, "the response exceeds the limit of \(request.responseLimit) bytes",
      response: head)
  }

  private static func cut(
    _ head: TransportResponse.Head, _ count: Int, _ announced: Int?, _ error: URLError?
  ) -> FieldError {
    let length = announced.map { " of \($0)" } ?? ""
    return FieldError(
      .bodyCut, "the body ended early or can't be decoded, after \(count)\(length) bytes",
      response: head, underlying: error?.withoutAddress)
  }
}

extension TransportResponse {
  fileprivate init(_ head: Head, body: TransportBody) {
    self.init(status: head.status, fields: head.fields, url: head.url, body: body)
  }
}
