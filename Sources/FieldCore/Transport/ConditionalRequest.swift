/// A request to which a server may answer 304: what was known is still the newest.
package struct ConditionalRequest: Sendable {
  /// The request as it is sent.
  package let request: TransportRequest
  private let known: HTTPValidators?

  /// Makes a request conditional on what an earlier answer of its exact address gave.
  ///
  /// - Parameters:
  ///   - request: The request without its condition.
  ///   - known: What that answer gave; nil asks in full, as when what it gave is stored no more.
  package init(_ request: TransportRequest, known: HTTPValidators?) {
    var request = request
    known?.apply(to: &request)
    self.request = request
    self.known = known
  }

  /// An answer that is a success, or a 304 that was asked for.
  package struct Answer: Sendable {
    /// The answer as it came.
    package let response: TransportResponse
    /// Whether it has a body to read; otherwise what was known is still the newest.
    package let isNew: Bool
    /// What to ask with the next time.
    package let validators: HTTPValidators?
  }

  /// What a response to the request means.
  ///
  /// - Throws: What the status means when it is neither a success nor 304, and for a 304 to a request
  ///   that had no condition: there is nothing that it could speak of.
  package func answer(of response: TransportResponse) throws(FieldError) -> Answer {
    try response.checkStatus(operation: request.operation)
    guard response.status == 304 else {
      return Answer(
        response: response, isNew: true, validators: HTTPValidators(response.fields))
    }
    guard let known else {
      throw FieldError(
        .status, "HTTP 304: the server says that nothing has changed, and was not asked that",
        operation: request.operation, response: response.head)
    }
    return Answer(
      response: response, isNew: false, validators: known.updated(by: response.fields))
  }
}

extension HTTPValidators {
  /// The validators after a 304 with these fields, which replace those of their names (RFC 9111,
  /// section 3.2).
  fileprivate func updated(by fields: HTTPHeaderFields) -> Self {
    Self(
      entityTag: fields["ETag"] ?? entityTag,
      lastModified: fields["Last-Modified"] ?? lastModified)
  }
}
