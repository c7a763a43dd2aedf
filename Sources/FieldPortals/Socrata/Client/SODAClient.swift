public import FieldCore
internal import FieldFoundation

/// A client that queries a dataset of a Socrata portal, using SODA 2.0, 2.1, or 3.
///
/// ```swift
/// let client = SODAClient(
///   try SODADataset("ijzp-q8t2", at: "data.cityofchicago.org"),
///   transport: URLSessionTransport().retrying())
/// let thefts = SoQL.Query(where: "primary_type = \(type)", order: "date DESC")
/// for try await row in client.rows(thefts) { print(row["date"]?.text ?? "") }
/// ```
///
/// The client handles the portals' peculiarities: it waits while the portal works on a query (202),
/// rejects responses of replicas that report they are out of date, repeats a request if the
/// response is truncated, and continues without an app token that the portal rejects. Retries after
/// transient failures are up to the transport; wrap it in `retrying(_:)`.
public final class SODAClient: Sendable {
  /// The dataset to query.
  public let dataset: SODADataset

  private let transport: any Transport
  private let token: SODAToken?
  private let clock: any FieldClock
  private let patience: SODAPatience
  private let timeout: Duration
  private let refusal = Lock(false)

  /// Creates a client, using the transport without decorators.
  ///
  /// - Parameters:
  ///   - dataset: The dataset to query.
  ///   - transport: The transport to send requests with.
  ///   - token: The source of the app token; `nil` sends none.
  ///   - clock: The clock to wait with. Defaults to `.system`.
  ///   - patience: The time to wait for responses that the portal announces.
  ///   - timeout: The maximum duration of each request. Defaults to 60 seconds.
  public init(
    _ dataset: SODADataset,
    transport: any Transport,
    token: SODAToken? = nil,
    clock: any FieldClock = .system,
    patience: SODAPatience = SODAPatience(),
    timeout: Duration = .seconds(60)
  ) {
    self.dataset = dataset
    self.transport = transport
    self.token = token
    self.clock = clock
    self.patience = patience
    self.timeout = timeout
  }

  /// The notices for the caller although nothing has failed, such as a rejected token.
  public var notices: [RefreshReport.Notice] {
    guard refusal.withLock({ $0 }) else { return [] }
    return [
      RefreshReport.Notice(
        .sodaTokenRefused,
        "The portal rejected the app token, so requests are sent without it. Check the token.")
    ]
  }

  /// Sends a query and passes the response to a reader, repeating the request if the response was
  /// cut.
  ///
  /// - Parameters:
  ///   - validators: The validators of earlier responses, keyed by exact URL.
  ///   - notModified: A closure that returns the result for an unchanged response, with status 304.
  ///   - read: A closure that reads the body of a response with rows.
  /// - Returns: The result of the reader, and the response without its body.
  @concurrent
  func ask<Result: Sendable>(
    _ query: SoQL.Query, operation: String, validators: [String: HTTPValidators] = [:],
    notModified: (@Sendable () -> Result)? = nil,
    read: (TransportResponse.Head, [UInt8]) throws -> Result
  ) async throws -> (result: Result, head: TransportResponse.Head) {
    let request = try request(for: query, operation: operation)
    let conditional = ConditionalRequest(
      request, known: notModified == nil ? nil : validators[request.url.absoluteString])
    var cuts = 0
    while true {
      let answer = try await answer(to: conditional.request)
      if try !conditional.answer(of: answer).isNew, let notModified {
        return (notModified(), answer.head)
      }
      do {
        let result = try answer.reading(operation: operation) { body in
          if Self.isObject(body) {
            throw SODAProblem(body).error(for: answer, of: dataset, operation: operation)
          }
          return try read(answer.head, body)
        }
        return (result, answer.head)
      } catch let error as FieldError {
        guard error.code == .cut || error.code == .emptyBody, cuts < patience.cutLimit else {
          throw error
        }
        cuts += 1
        try await clock.sleep(for: .seconds(cuts))
      }
    }
  }

  /// Returns the exact URL of a query, under which the validators of its responses are stored.
  func address(of query: SoQL.Query) throws -> String {
    try request(for: query, operation: "").url.absoluteString
  }

  /// Requests a document of the portal other than rows.
  @concurrent
  func document(at url: URL, operation: String) async throws -> JSONValue {
    let answer = try await answer(
      to: TransportRequest(
        url: url, fields: ["Accept": "application/json"], timeout: timeout, operation: operation))
    return try answer.reading(operation: operation) { try JSONDocument.value($0) }
  }

  /// Returns the date of a response by the portal's own clock.
  func date(of head: TransportResponse.Head) -> Date? {
    head.fields["Date"].flatMap { HTTPDate.date(from: $0, now: clock.now) }
  }

  // MARK: One request

  private func request(for query: SoQL.Query, operation: String) throws -> TransportRequest {
    if dataset.version == .v3 {
      let body: JSONValue = [
        "query": .string(try query.statement()), "includeSynthetic": .bool(false),
      ]
      return TransportRequest(
        .post, url: dataset.resource,
        fields: ["Accept": "application/json", "Content-Type": "application/json"],
        body: .text(body.canonicalText), timeout: timeout, operation: operation, isIdempotent: true)
    }
    var parameters = try query.parameters()
    if dataset.version == .v2_0 { parameters.append(("$$exclude_system_fields", "false")) }
    let url = try PercentEncoding.url(dataset.resource, adding: parameters)
    guard url.absoluteString.utf8.count <= 7_000 else {
      throw FieldError(
        .invalidInput,
        "The query's URL has \(url.absoluteString.utf8.count) characters, more than servers take. "
          + "Query fewer values at once, or use SODA 3.",
        operation: operation)
    }
    return TransportRequest(
      url: url, fields: ["Accept": "application/json"], timeout: timeout, operation: operation)
  }

  /// Returns the response to a request once it is final and current, and a success or 304.
  private func answer(to original: TransportRequest) async throws -> TransportResponse {
    var polls = 0
    var staleAnswers = 0
    while true {
      var request = original
      let sentToken = try await usableToken()
      request.fields["X-App-Token"] = sentToken
      let answer = try await FieldError.wrapping(
        "The portal couldn't be reached.", as: .transport, operation: original.operation
      ) { try await transport.send(request) }
      switch answer.status {
      case 202:
        polls += 1
        guard polls <= patience.pendingLimit else {
          throw FieldError(
            .sodaPending,
            "HTTP 202: The portal hasn't finished the query after \(polls) requests. Try again "
              + "later, or request less.",
            operation: original.operation, response: answer.head)
        }
        try await clock.sleep(for: wait(patience.pendingWait, at: answer))
      case 304: return answer
      case 200...299 where isStale(answer):
        staleAnswers += 1
        guard staleAnswers <= patience.staleLimit else {
          throw FieldError(
            .sodaStale,
            "The portal responded \(staleAnswers) times from an outdated replica. Try again later.",
            operation: original.operation, response: answer.head)
        }
        try await clock.sleep(for: wait(patience.staleWait, at: answer))
      case 200...299: return answer
      default:
        let problem = SODAProblem(try answer.body.bytes())
        if sentToken != nil, [401, 403].contains(answer.status), problem.isAboutToken {
          refusal.withLock { $0 = true }
          continue
        }
        throw problem.error(for: answer, of: dataset, operation: original.operation)
      }
    }
  }

  private func usableToken() async throws -> String? {
    guard let token, !refusal.withLock({ $0 }) else { return nil }
    return try await FieldError.wrapping("The app token couldn't be obtained.", as: .sodaDenied) {
      try await token.provide()
    }
  }

  private func isStale(_ answer: TransportResponse) -> Bool {
    answer.fields["X-SODA2-Data-Out-Of-Date"]?.lowercased() == "true"
  }

  private func wait(_ usual: Duration, at answer: TransportResponse) -> Duration {
    let asked = RetryAfter.wait(answer.fields, now: clock.now, longest: .seconds(60))
    return max(usual, asked ?? .zero)
  }

  /// Whether a body is a JSON object, which is always an error at the URL of rows.
  private static func isObject(_ body: [UInt8]) -> Bool {
    let first = body.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
    return first == UInt8(ascii: "{")
  }
}

// MARK: - Reading

extension SODAClient {
  /// Returns the rows of a query, one page at a time.
  ///
  /// - Parameters:
  ///   - query: The query. Its limit applies to all pages together.
  ///   - size: The maximum number of rows on a page. Defaults to 1,000.
  ///   - token: The position at which to continue, from an earlier page of the same query.
  public func pages(
    _ query: SoQL.Query = SoQL.Query(), size: Int = 1_000, after token: SODAResumeToken? = nil
  ) -> SODAPages {
    pages(query, size, token) { body, first in try SODARow.rows(of: body, from: first) }
  }

  /// Returns the rows of a query one by one, read one page at a time.
  public func rows(_ query: SoQL.Query = SoQL.Query(), pageSize: Int = 1_000) -> SODARows {
    pages(query, size: pageSize).flattened(\.rows)
  }

  /// Returns the rows of a query, one page at a time, as values of a type that reads rows.
  ///
  /// - Parameters:
  ///   - query: The query. Its limit applies to all pages together.
  ///   - type: The type of the values.
  ///   - size: The maximum number of rows on a page. Defaults to 1,000.
  ///   - token: The position at which to continue, from an earlier page of the same query.
  public func pages<Row: RowReadable>(
    _ query: SoQL.Query = SoQL.Query(), as type: Row.Type, size: Int = 1_000,
    after token: SODAResumeToken? = nil
  ) -> SODATypedPages<Row> {
    pages(query, size, token) { body, _ in
      try RowReader.values(of: body, as: type, format: .jsonArray)
    }
  }

  /// Returns the rows of a query, one page at a time, each decoded as `RowReadable` describes.
  ///
  /// - Parameters:
  ///   - query: The query. Its limit applies to all pages together.
  ///   - type: The type to decode each row into.
  ///   - size: The maximum number of rows on a page. Defaults to 1,000.
  ///   - token: The position at which to continue, from an earlier page of the same query.
  @_disfavoredOverload
  public func pages<Row: Decodable & Sendable>(
    _ query: SoQL.Query = SoQL.Query(), as type: Row.Type, size: Int = 1_000,
    after token: SODAResumeToken? = nil
  ) -> SODATypedPages<Row> {
    pages(query, size, token) { body, _ in
      try RowReader.values(of: body, as: DecodedSODARow<Row>.self, format: .jsonArray)
        .map(\.value)
    }
  }

  /// Returns the rows of a query one by one, as values of a type that reads rows.
  public func rows<Row: RowReadable>(
    _ query: SoQL.Query = SoQL.Query(), as type: Row.Type, pageSize: Int = 1_000
  ) -> SODATypedRows<Row> { pages(query, as: type, size: pageSize).flattened(\.rows) }

  /// Returns the rows of a query one by one, each decoded into a type, read one page at a time.
  ///
  /// ```swift
  /// struct Theft: Decodable, Sendable { var case_number: String, date: CalendarDay? }
  /// for try await theft in client.rows(thefts, as: Theft.self) { print(theft.case_number) }
  /// ```
  @_disfavoredOverload
  public func rows<Row: Decodable & Sendable>(
    _ query: SoQL.Query = SoQL.Query(), as type: Row.Type, pageSize: Int = 1_000
  ) -> SODATypedRows<Row> { pages(query, as: type, size: pageSize).flattened(\.rows) }

  private func pages<Row: Sendable>(
    _ query: SoQL.Query, _ size: Int, _ token: SODAResumeToken?,
    reading read: @escaping SODAPageRows<Row>.Reader
  ) -> SODATypedPages<Row> {
    SODATypedPages { [self] in
      var reader = SODAQueryReader(
        client: self, query: query, size: max(1, size), token: token, read: read)
      return { actor in try await reader.next(isolation: actor) }
    }
  }

  /// Returns the number of rows that meet a condition, or of all rows if it is `nil`.
  ///
  /// ```swift
  /// let thefts = try await client.count(where: "primary_type = \(type)")
  /// ```
  public func count(where condition: SoQL? = nil) async throws -> Int {
    try await count(where: condition, operation: "soda.count")
  }

  func count(where condition: SoQL?, operation: String) async throws -> Int {
    let query = SoQL.Query(select: "count(*) AS row_count", where: condition)
    return try await ask(query, operation: operation) { _, body in
      // One row with one cell, a number or its text.
      let row = try JSONDocument.value(body).elements?.first
      guard let count = row?["row_count"]?.integer else {
        throw FieldError(.malformed, "The portal didn't respond to a count with one number.")
      }
      return count
    }.result
  }

  /// Returns the portal's description of the dataset: its name, its columns, and its last change.
  public func metadata() async throws -> SODAMetadata {
    let operation = "soda.metadata"
    return try SODAMetadata(
      try await document(at: dataset.metadata, operation: operation), operation: operation)
  }
}
