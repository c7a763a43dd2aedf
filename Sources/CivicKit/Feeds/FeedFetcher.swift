internal import FieldCore
internal import FieldFoundation
internal import FieldXML

struct FeedFetcher: Sendable {
  /// The operation of the requests, for stubs and logs.
  static let operation = "civic.feed"

  let transport: any Transport
  let timeout: Duration
  let byteLimit: Int

  struct Answer: Sendable {
    /// The feed; `nil` if the server says that it hasn't changed.
    var document: FeedDocument?
    var validators: HTTPValidators?
    /// The address that responded.
    var origin: URL
  }

  /// Fetches a feed, unless it hasn't changed since the validators were received.
  @concurrent
  func fetch(_ feed: CityFeed, validators: HTTPValidators?) async throws -> Answer {
    let conditional = ConditionalRequest(
      TransportRequest(
        url: feed.address,
        fields: [
          "Accept":
            "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"
        ],
        timeout: timeout, responseLimit: byteLimit, operation: Self.operation),
      known: validators)
    let response = try await transport.send(conditional.request)
    try Task.checkCancellation()
    let origin = response.url ?? feed.address
    let answer = try conditional.answer(of: response)
    let document =
      try answer.isNew
      ? response.reading(operation: Self.operation) { bytes in
        try FeedDocument(
          reading: bytes, from: origin,
          charset: response.charset, zone: feed.zone,
          byteLimit: byteLimit)
      } : nil
    return Answer(document: document, validators: answer.validators, origin: origin)
  }
}
