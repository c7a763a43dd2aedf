internal import AsyncHTTPClient
internal import FieldCore
internal import Foundation
internal import NIOCore

extension AsyncHTTPClientTransport {
  /// Returns the response after its body has arrived at its destination.
  static func receive(
    _ body: HTTPClientResponse.Body, after head: TransportResponse.Head,
    for request: TransportRequest
  ) async throws -> TransportResponse {
    var answer = TransportResponse(status: head.status, fields: head.fields, url: head.url)
    let isRedirect = request.followsRedirects && (300...399).contains(head.status)
    let coding = head.fields["Content-Encoding"]?.lowercased()
    let inflater = coding == "gzip" || coding == "x-gzip" ? try Inflater() : nil
    if inflater != nil {
      answer.head.fields["Content-Encoding"] = nil
      answer.head.fields["Content-Length"] = nil
    }

    let hasBody = request.method != .head && head.status != 304 && head.status != 204
    let announced = inflater == nil ? head.fields["Content-Length"].flatMap { Int($0) } : nil
    guard !hasBody || isRedirect || announced ?? 0 <= request.responseLimit else {
      throw tooLarge(request, head)
    }
    let sink = try Sink(answer.isSuccess ? request.destination : .memory)
    defer { sink.discard() }
    var (count, wireCount) = (0, 0)
    for try await piece in body {
      wireCount += piece.readableBytes
      // Reading a longer page about a redirect, which may be endless, isn't worth the connection.
      if isRedirect && wireCount > 1 << 16 { return answer }
      func append(_ bytes: some Collection<UInt8>) throws {
        count += bytes.count
        guard count <= request.responseLimit else { throw tooLarge(request, head) }
        if !isRedirect { try sink.append(bytes) }
      }
      if let inflater {
        try inflater.decode(piece.readableBytesView, append)
      } else {
        try append(piece.readableBytesView)
      }
    }
    try Task.checkCancellation()
    if let inflater, hasBody, !isRedirect, !inflater.isAtEnd {
      throw FieldError(.bodyCut, "the compressed body ended early", response: head)
    }
    answer.body = try sink.commit()
    return answer
  }

  private static func tooLarge(
    _ request: TransportRequest, _ head: TransportResponse.Head
  ) -> FieldError {
    FieldError(
      .responseTooLarge, "the response exceeds the limit of \(request.responseLimit) bytes",
      response: head)
  }
}
