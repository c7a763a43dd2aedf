internal import AsyncHTTPClient
internal import FieldCore
internal import NIOCore

extension AsyncHTTPClientTransport {
  /// Returns the response after its body has arrived at its destination.
  static func receive(
    _ body: HTTPClientResponse.Body, after head: TransportResponse.Head,
    for request: TransportRequest
  ) async throws -> TransportResponse {
    var head = head
    let bare = TransportResponse(status: head.status, fields: head.fields, url: head.url)
    if request.followsRedirects, try request.redirected(by: bare) != nil {
      // A longer page about a redirect, which may have no end, isn't worth its connection.
      var count = 0
      for try await piece in body {
        count += piece.readableBytes
        if count > 1 << 16 { break }
      }
      return bare
    }
    let coding = head.fields["Content-Encoding"]?.lowercased()
    // Some servers name a coding for an empty body, too.
    let isEmpty = head.fields["Content-Length"] == "0"
    let inflater =
      !isEmpty && (coding == "gzip" || coding == "x-gzip") ? try Inflater() : nil
    if inflater != nil {
      head.fields["Content-Encoding"] = nil
      head.fields["Content-Length"] = nil
    }
    var receiver = try ResponseReceiver(head, for: request)
    defer { receiver.discard() }
    for try await piece in body {
      if let inflater {
        try inflater.decode(piece.readableBytesView) { try receiver.append($0) }
      } else {
        try receiver.append(piece.readableBytesView)
      }
    }
    try Task.checkCancellation()
    let hasBody = request.method != .head && head.status != 304 && head.status != 204
    if let inflater, hasBody, !inflater.isAtEnd { throw receiver.bodyCut() }
    return try receiver.finish()
  }
}
