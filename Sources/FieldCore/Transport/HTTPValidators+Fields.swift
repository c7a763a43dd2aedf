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
