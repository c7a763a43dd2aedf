public import FieldCore
internal import FieldFoundation

/// A client of one Firestore database that uses its REST interface.
///
/// ```swift
/// let client = FirestoreClient(configuration, transport: URLSessionTransport())
/// let pet = try await client.get("Pets/mesh")
/// try await client.commit([.update("Pets/mesh", ["walks": .increment(1)])], receipt: UUID())
/// ```
///
/// The client classifies errors by the server's status and retries transient failures as Google's
/// clients do for each method, so don't wrap the transport in `retrying(_:)`. It repeats a commit
/// only if that can't apply it twice: if its writes are idempotent, or it has a receipt.
///
/// The REST interface doesn't support listening to changes. Poll with a query instead.
public final class FirestoreClient: Sendable {
  /// The database, and the options for its use.
  public let configuration: FirestoreConfiguration

  private let sender: RequestSender

  /// Creates a client that uses the transport as it is, without decorators.
  ///
  /// - Parameters:
  ///   - configuration: The database, and the options for its use.
  ///   - transport: The transport that sends requests.
  ///   - clock: The clock that measures delays and the age of receipts. Defaults to the system's.
  ///   - random: Returns a number from 0 through 1 for each delay.
  public init(
    _ configuration: FirestoreConfiguration, transport: any Transport,
    clock: any FieldClock = .system,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.configuration = configuration
    sender = RequestSender(
      transport: transport, clock: clock, random: random, tokens: configuration.tokens,
      policy: configuration.retry)
  }

  /// The database.
  public var database: FirestoreDatabase { configuration.database }

  var clock: any FieldClock { sender.clock }
  var random: @Sendable () -> Double { sender.random }

  /// Sends a call with the full name of its subject, repeating it if its method allows it, and
  /// returns the response. Without a verb and a body, it is a GET with the parameters.
  ///
  /// - Parameter isSafeToRepeat: Whether a commit can be repeated after an unknown outcome.
  func call(
    _ method: FirestoreMethod, _ name: String, verb: String? = nil,
    parameters: [(name: String, value: String)] = [], body: JSONValue? = nil,
    isSafeToRepeat: Bool = true
  ) async throws -> JSONValue {
    try await sender.send(
      try request(method, name, verb, parameters, body),
      authorization: { "Bearer \($0.value)" },
      isRetried: { method.isRetried($0, isSafeToRepeat: isSafeToRepeat) },
      isExhausted: { $0.code == .firestoreResourceExhausted }
    ) { try FirestoreProblem.value(of: $0, operation: method.operation) }
  }

  private func request(
    _ method: FirestoreMethod, _ name: String, _ verb: String?,
    _ parameters: [(name: String, value: String)], _ body: JSONValue?
  ) throws -> TransportRequest {
    try database.check()
    let path = name.parts(at: "/").map { PercentEncoding.component(String($0)) }
      .joined(separator: "/")
    var root = configuration.endpoint.absoluteString
    while root.hasSuffix("/") { root.removeLast() }
    guard let url = URL(string: "\(root)/v1/\(path)\(verb.map { ":\($0)" } ?? "")") else {
      throw FieldError(.invalidInput, "\(root) and \(name) don't form a URL.")
    }
    var fields = configuration.fields
    fields["Accept"] = "application/json"
    var request = TransportRequest(
      url: try PercentEncoding.url(url, adding: parameters), fields: fields,
      timeout: method.timeout, operation: method.operation,
      // Retries depend on the method, so a transport, which knows only HTTP, mustn't retry.
      isIdempotent: false)
    if let body {
      let bytes = Array(body.canonicalText.utf8)
      guard bytes.count <= configuration.limits.requestSize else {
        throw FieldError(
          .invalidInput,
          "The request has \(bytes.count) bytes, and the limit is "
            + "\(configuration.limits.requestSize). Send less.", operation: method.operation)
      }
      request.method = .post
      request.fields["Content-Type"] = "application/json"
      request.body = .bytes(bytes)
    }
    return request
  }
}
