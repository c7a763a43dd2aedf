package import FieldCore
internal import FieldFoundation

extension TransportResponse {
  /// Returns this response as a transport delivers it for a request.
  ///
  /// The body is within the limit of the request, at its destination, and missing for HEAD, and the
  /// response has a URL. Only a success is written to a file, as in `URLSessionTransport`: an error
  /// page never replaces data.
  package func delivered(for request: TransportRequest) throws -> TransportResponse {
    var response = self
    response.head.url = url ?? request.url
    let bytes = request.method == .head ? [] : try body.bytes()
    guard bytes.count <= request.responseLimit else {
      throw FieldError(
        .responseTooLarge,
        "The response has \(bytes.count) bytes, but the request allows \(request.responseLimit).",
        operation: request.operation, response: response.head)
    }
    switch request.destination {
    case .file(let url) where isSuccess:
      do {
        try Data(bytes).write(to: url, options: .atomic)
      } catch {
        throw FieldError(
          .io, "The response can't be written to \(url.path).", operation: request.operation,
          underlying: error)
      }
      response.body = .file(url)
    case .file, .memory: response.body = .bytes(bytes)
    }
    return response
  }
}
