internal import FieldCore
internal import FieldFoundation
internal import FieldXML

/// Asks a feed's server, and reads what comes.
struct FeedFetcher: Sendable {
  /// The operation of the requests, for stubs and logs.
  static let operation = "civic.feed"

  let transport: any Transport
  let timeout: Duration
  let byteLimit: Int

  /// What a server answered.
  struct Answer: Sendable {
    /// The feed; nil when the server says that the last one is still the newest.
    var document: FeedDocument?
    /// What to ask with the next time.
    var validators: HTTPValidators?
    /// Where the answer came from.
    var origin: URL
  }

  /// Gets a feed, unless the server says that it is the one that the validators came with.
  @concurrent
  func fetch(_ feed: CityFeed, validators: HTTPValidators?) async throws -> Answer {
    let question = ConditionalRequest(
      TransportRequest(
        url: feed.address,
        fields: [
          "Accept":
            "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"
        ],
        timeout: timeout, responseLimit: byteLimit, operation: Self.operation),
      known: validators)
    let response = try await transport.send(question.request)
    try Task.checkCancellation()
    let origin = response.url ?? feed.address
    let answer = try question.answer(of: response)
    let document =
      try answer.isNew
      ? response.reading(operation: Self.operation) { bytes in
        try FeedDocument(
          reading: bytes, from: origin,
          charset: Self.charset(response.fields["Content-Type"]), zone: feed.zone,
          byteLimit: byteLimit)
      } : nil
    return Answer(document: document, validators: answer.validators, origin: origin)
  }

  /// The encoding in `text/xml; charset=big5`.
  static func charset(_ contentType: String?) -> String? {
    for part in (contentType ?? "").split(separator: ";").dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == "charset" else {
        continue
      }
      let name = pair[1].filter { $0 != " " && $0 != "\"" && $0 != "'" }
      return name.isEmpty ? nil : name
    }
    return nil
  }
}
