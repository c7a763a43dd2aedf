extension HTTPValidators {
  /// The validators of an answer, `nil` if it has none.
  public init?(_ fields: HTTPHeaderFields) {
    entityTag = fields["ETag"]
    lastModified = fields["Last-Modified"]
    if entityTag == nil && lastModified == nil { return nil }
  }

  /// Makes `request` conditional: the answer is 304 if nothing has changed.
  public func apply(to request: inout TransportRequest) {
    request.fields["If-None-Match"] = entityTag
    request.fields["If-Modified-Since"] = lastModified
  }
}
