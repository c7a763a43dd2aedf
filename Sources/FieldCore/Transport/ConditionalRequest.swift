/// A request that a server may answer with 304 if the known data is still current.
package struct ConditionalRequest: Sendable {
  package let request: TransportRequest
  private let known: HTTPValidators?

  /// Creates a request that is conditional on the validators of an earlier response from the same
  /// URL.
  ///
  /// - Parameters:
  ///   - request: The request without its condition.
  ///   - known: The validators of that response; `nil` requests the data in full, such as if the
  ///     data is no longer stored.
  package init(_ request: TransportRequest, known: HTTPValidators?) {
    var request = request
    known?.apply(to: &request)
    self.request = request
    self.known = known
  }

  /// A successful response, or a 304 to a conditional request.
  package struct Answer: Sendable {
    package let response: TransportResponse
    /// A Boolean value that indicates whether there is a body to read; otherwise, the known data is
    /// still current.
    package let isNew: Bool
    /// The validators for the next request.
    package let validators: HTTPValidators?
  }

  /// Returns the meaning of a response to the request.
  ///
  /// - Throws: An error for the status if it is neither a success nor 304, or if it is 304 although
  ///   the request had no condition.
  package func answer(of response: TransportResponse) throws(FieldError) -> Answer {
    try response.checkStatus(operation: request.operation)
    guard response.status == 304 else {
      return Answer(
        response: response, isNew: true, validators: HTTPValidators(response.fields))
    }
    guard let known else {
      throw FieldError(
        .status, "The server responded with 304 to an unconditional request.",
        operation: request.operation, response: response.head)
    }
    // The fields replace those of the same names (RFC 9111, section 3.2).
    let validators = HTTPValidators(
      entityTag: response.fields["ETag"] ?? known.entityTag,
      lastModified: response.fields["Last-Modified"] ?? known.lastModified)
    return Answer(response: response, isNew: false, validators: validators)
  }
}

extension HTTPValidators {
  /// Creates the validators of a response, or `nil` if it has none.
  public init?(_ fields: HTTPHeaderFields) {
    entityTag = fields["ETag"]
    lastModified = fields["Last-Modified"]
    if entityTag == nil && lastModified == nil { return nil }
  }

  /// Adds the validators to a request, so that the response is 304 if nothing has changed.
  public func apply(to request: inout TransportRequest) {
    request.fields["If-None-Match"] = entityTag
    request.fields["If-Modified-Since"] = lastModified
  }
}
