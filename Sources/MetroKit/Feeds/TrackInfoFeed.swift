public import FieldCore
public import FieldFoundation

/// The members' feed of api.metro.taipei: the next trains at each platform, with countdowns.
///
/// ```swift
/// let feed = TrackInfoFeed(userName: name, password: password, transport: URLSessionTransport())
/// let metro = Metro(source: feed, storage: .inMemory)
/// ```
///
/// Membership is free. The user name and the password are sent in the body of a POST over HTTPS and
/// never appear in logs, descriptions, or errors. Redirects aren't followed, because they could
/// pass the credentials on. The feed changes about every 15 seconds and lags by as much, so a
/// countdown counts from the row's own ``Arrival/updatedAt``.
public struct TrackInfoFeed: RecordSource {
  /// The URL of the service.
  public var url: URL
  /// The network in which names are looked up.
  public var network: MetroNetwork
  /// The header fields to send with the request, such as a `User-Agent`.
  public var fields: HTTPHeaderFields
  /// The maximum duration of the request.
  ///
  /// Defaults to 20 seconds.
  public var timeout: Duration
  /// The limits for a response.
  public var limits: FeedLimits

  private let userName: Secret
  private let password: Secret
  private let transport: any Transport

  /// Creates a source that reads the feed for a member.
  public init(
    userName: String,
    password: String,
    transport: any Transport,
    url: URL = Self.presentAddress,
    network: MetroNetwork = .taipei,
    fields: HTTPHeaderFields = [:],
    timeout: Duration = .seconds(20),
    limits: FeedLimits = .default
  ) {
    self.userName = Secret(userName)
    self.password = Secret(password)
    self.transport = transport
    self.url = url
    self.network = network
    self.fields = fields
    self.timeout = timeout
    self.limits = limits
  }

  /// The URL of the service.
  public static var presentAddress: URL {
    URL(literal: "https://api.metro.taipei/metroapi/TrackInfo.asmx")
  }

  /// The feed for members.
  public var dataSource: DataSource? { .metroTrackInfo }

  /// Fetches the rows from the service, with the request operation `metro.trackInfo`.
  ///
  /// - Throws: `FieldError` with the code `metro.refused` if the service responds with a SOAP fault
  ///   or a sentence, `rows.notData` if the response is an HTML page, even with status 200, or a
  ///   code of `Batch.init(reading:network:estimateUnit:)`.
  @concurrent
  public func fetch(_ request: RecordRequest) async throws -> Batch<Arrival> {
    guard !userName.text.isEmpty, !password.text.isEmpty else {
      throw FieldError(
        .signInRefused, "The members' feed needs a user name and a password.",
        operation: Self.operation)
    }
    var fields = fields
    fields["Content-Type"] = "text/xml; charset=utf-8"
    fields["SOAPAction"] = "\"http://tempuri.org/getTrackInfo\""
    // Don't retry: a wrong password is answered with 500, and too many attempts lock the account.
    var feedRequest = TransportRequest(
      .post, url: url, fields: fields, body: .text(envelope), timeout: timeout,
      operation: Self.operation)
    feedRequest.followsRedirects = false
    do {
      return try await FeedExchange(request: feedRequest, network: network, limits: limits)
        .batch(validators: [:]) { try await send($0) }
    } catch var error as FieldError {
      error.message = withoutSecrets(error.message)
      error.problems = error.problems.map(withoutSecrets)
      throw error
    }
  }

  /// Removes the user name and the password from a fault that quotes the request.
  private func withoutSecrets(_ text: String) -> String {
    [password, userName].reduce(text) { text, secret in
      text.replacing(bytesOf: secret.text, with: Redaction.placeholder)
        .replacing(bytesOf: XMLText.escaped(secret.text), with: Redaction.placeholder)
    }
  }

  private func send(_ request: TransportRequest) async throws -> TransportResponse {
    let answer = try await transport.send(request)
    var refusal: FieldError?
    switch answer.status {
    case 300...399:
      refusal = FieldError(
        .signInRefused,
        "The service redirects, and the password isn't sent along. Pass the new URL as `url`.")
    case 401, 403:
      refusal = FieldError(.signInRefused, "The service rejected the user name and password.")
    // SOAP 1.1 sends its faults with 500, and the fault says more than the number.
    case 500: refusal = (try? answer.body.bytes()).flatMap(SOAPAnswer.fault)
    default: break
    }
    guard var refusal else { return answer }
    (refusal.operation, refusal.response) = (Self.operation, answer.head)
    throw refusal
  }

  private static let operation = "metro.trackInfo"

  private var envelope: String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <soap:Envelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
    xmlns:xsd="http://www.w3.org/2001/XMLSchema" \
    xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">
    <soap:Body><getTrackInfo xmlns="http://tempuri.org/">\
    <userName>\(XMLText.escaped(userName.text))</userName>\
    <passWord>\(XMLText.escaped(password.text))</passWord>\
    </getTrackInfo></soap:Body></soap:Envelope>
    """
  }
}
