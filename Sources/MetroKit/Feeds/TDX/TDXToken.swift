public import FieldCore
public import FieldFoundation

/// An app's sign-in at TDX, which gets a token for its ID and secret, and caches the token.
///
/// ```swift
/// let token = TDXToken(clientID: id, secret: secret, transport: URLSessionTransport())
/// let board = TDXLiveBoard(token: token, transport: transport)
/// let alerts = TDXAlerts(token: token, transport: transport)      // shares the token
/// ```
///
/// - The token is requested on first use, once for all concurrent callers, and cached until shortly
///   before it expires. TDX issues a token for a day and allows 20 calls a minute.
/// - If a request is still answered with 401, the sign-in requests a new token and repeats the
///   request, once.
/// - The ID, secret, and token never appear in logs, descriptions, or errors. The token is sent in
///   the `Authorization` field, which ``/FieldCore/Redaction`` hides.
///
/// A new key works after one to three minutes.
public final class TDXToken: Sendable {
  private struct Known: Sendable {
    var token: Secret
    var end: Duration
  }

  private let clientID: Secret
  private let secret: Secret
  private let transport: any Transport
  private let url: URL
  private let margin: Duration
  private let longestLife: Duration
  private let timeout: Duration
  private let clock: any FieldClock
  private let known = Lock<Known?>(nil)
  private let flight = SingleFlight<Secret>()

  /// Creates a sign-in without sending anything yet.
  ///
  /// - Parameters:
  ///   - clientID: The app's ID, from its TDX account.
  ///   - secret: The app's secret.
  ///   - transport: The transport for requesting tokens.
  ///   - url: The URL that issues tokens.
  ///   - margin: The time before expiration at which a token is no longer used. Defaults to 60
  ///     seconds.
  ///   - longestLife: The maximum time to use a token, however long it is valid. Defaults to 6
  ///     hours.
  ///   - timeout: The maximum duration of a request. Defaults to 20 seconds.
  ///   - clock: The clock for measuring the life of a token. Defaults to `.system`.
  public init(
    clientID: String,
    secret: String,
    transport: any Transport,
    url: URL = TDXToken.presentAddress,
    margin: Duration = .seconds(60),
    longestLife: Duration = .seconds(6 * 3600),
    timeout: Duration = .seconds(20),
    clock: any FieldClock = .system
  ) {
    self.clientID = Secret(clientID)
    self.secret = Secret(secret)
    self.transport = transport
    self.url = url
    self.margin = margin
    self.longestLife = longestLife
    self.timeout = timeout
    self.clock = clock
  }

  /// The URL where TDX issues tokens.
  public static var presentAddress: URL {
    URL(
      literal:
        "https://tdx.transportdata.tw/auth/realms/TDXConnect/protocol/openid-connect/token")
  }

  /// Discards the token, so that the next request asks for a new one.
  public func forget() { known.withLock { $0 = nil } }

  /// Sends a request with the token, and once more with a new one if the response is 401.
  func send(_ request: TransportRequest, by transport: any Transport) async throws
    -> TransportResponse
  {
    let token = try await valid()
    let answer = try await transport.send(Self.signed(request, with: token))
    guard answer.status == 401 else { return answer }
    known.withLock { known in
      // Another request may have replaced it by now.
      if known?.token == token { known = nil }
    }
    let second = try await transport.send(Self.signed(request, with: valid()))
    guard second.status == 401 else { return second }
    throw FieldError(
      .signInRefused, "TDX rejected the token that it just issued. Try again later.",
      operation: request.operation, response: second.head)
  }

  private static func signed(_ request: TransportRequest, with token: Secret) -> TransportRequest {
    var request = request
    request.fields["Authorization"] = "Bearer \(token.text)"
    return request
  }

  /// Returns the cached token if it is still valid, or a new one.
  private func valid() async throws -> Secret {
    if let token = current() { return token }
    return try await flight.run { [self] in
      // Callers that arrive just after a run has ended find its token here.
      if let token = current() { return token }
      return try await ask()
    }
  }

  private func current() -> Secret? {
    let now = clock.uptime
    return known.withLock { known in
      guard let known, known.end > now else { return nil }
      return known.token
    }
  }

  private static let operation = "metro.tdx.token"

  private func ask() async throws -> Secret {
    let start = clock.uptime
    let form = PercentEncoding.query([
      ("grant_type", "client_credentials"), ("client_id", clientID.text),
      ("client_secret", secret.text),
    ])
    var request = TransportRequest(
      .post, url: url,
      fields: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"],
      body: .text(form), timeout: timeout, responseLimit: 1 << 20, operation: Self.operation)
    request.followsRedirects = false
    let answer = try await FieldError.wrapping(
      "TDX couldn't be reached for a token.", as: .transport, operation: Self.operation
    ) { try await transport.send(request) }
    try Self.check(answer)
    let reply = try FeedExchange.reading(
      answer, operation: Self.operation, limit: request.responseLimit, TokenReply.init(reading:))
    let life = min(.seconds(reply.seconds ?? 300), longestLife)
    // If a token expires sooner than twice the margin, half of its life is used.
    known.withLock { known in
      known = Known(token: reply.token, end: start + max(life - margin, life / 2))
    }
    return reply.token
  }

  private static func check(_ answer: TransportResponse) throws(FieldError) {
    let (code, message): (FieldError.Code, String)
    switch answer.status {
    case 400, 401, 403:
      code = .signInRefused
      message =
        "HTTP \(answer.status): TDX rejected the client ID and secret. Check them. A new key works "
        + "after three minutes."
    case 429:
      code = .tooManyRequests
      message = "HTTP 429: Too many tokens were requested. TDX issues 20 a minute per IP address."
    case 300...399:
      code = .signInRefused
      message =
        "The token URL redirects, and the secret isn't sent along. Pass the new one as `url`."
    default: return try answer.checkStatus(operation: operation)
    }
    throw FieldError(code, message, operation: operation, response: answer.head)
  }
}

extension TDXToken: CustomStringConvertible, CustomReflectable {
  /// The name of the type, without the secrets.
  public var description: String { "TDXToken(\(Redaction.placeholder))" }
  /// A mirror without children, so that `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

enum TDXAddress {
  static var present: URL { URL(literal: "https://tdx.transportdata.tw/api/basic/v2/Rail/Metro") }

  /// Returns `{base}/{resource}/{operator}?$format=JSON`.
  static func url(_ base: URL, _ resource: String, _ operatorCode: String) throws -> URL {
    var root = base.absoluteString
    while root.hasSuffix("/") { root.removeLast() }
    let text = "\(root)/\(resource)/\(PercentEncoding.segment(operatorCode))"
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
      throw FieldError(.invalidInput, "\(base.absoluteString) can't be the URL of TDX.")
    }
    return try PercentEncoding.url(url, adding: [("$format", "JSON")])
  }
}

/// A text that is never printed: not by interpolation, `dump`, or a debugger's summary.
struct Secret: Sendable, Hashable {
  let text: String

  init(_ text: String) { self.text = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { Redaction.placeholder }
  var debugDescription: String { Redaction.placeholder }
  var customMirror: Mirror { Mirror(self, children: []) }
}
