public import FieldCore
internal import FieldFoundation

/// A client of one bucket of Cloud Storage for Firebase that uses its REST interface.
///
/// ```swift
/// let storage = StorageClient(configuration, transport: URLSessionTransport())
/// try await storage.upload(jpeg, to: "walks/1/photo.jpg", contentType: "image/jpeg")
/// let photo = try await storage.download("walks/1/photo.jpg")
/// ```
///
/// The client verifies the content of each upload and download by its size and its CRC-32C checksum. If the server
/// doesn't report that checksum, only the size is verified: the package has no MD5. Cloud Storage reports it for
/// every object. The client retries transient failures itself, so don't wrap the transport in `retrying(_:)`.
public final class StorageClient: Sendable {
  /// The bucket, and the options for its use.
  public let configuration: StorageConfiguration

  private let sender: RequestSender

  /// Creates a client that uses the transport as it is, without decorators.
  ///
  /// - Parameters:
  ///   - configuration: The bucket, and the options for its use.
  ///   - transport: The transport that sends requests.
  ///   - clock: The clock that measures the delays between attempts. Defaults to the system's.
  ///   - random: Returns a number from 0 through 1 for each delay.
  public init(
    _ configuration: StorageConfiguration, transport: any Transport,
    clock: any FieldClock = .system,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.configuration = configuration
    sender = RequestSender(
      transport: transport, clock: clock, random: random, tokens: configuration.tokens,
      policy: configuration.retry)
  }

  /// Returns the metadata of an object, or `nil` if it doesn't exist.
  public func metadata(of name: String) async throws -> StorageMetadata? {
    do {
      return try await knownMetadata(of: name)
    } catch let error as FieldError where Self.isAbsence(error) {
      return nil
    }
  }

  func knownMetadata(of name: String) async throws -> StorageMetadata {
    let answer = try await send(.get, try address(of: name), operation: "storage.metadata")
    return try StorageMetadata(
      json: FirestoreProblem.value(of: answer, operation: "storage.metadata"),
      operation: "storage.metadata")
  }

  /// Deletes an object.
  ///
  /// - Returns: `false` if the object doesn't exist.
  @discardableResult
  public func delete(_ name: String) async throws -> Bool {
    do {
      _ = try await send(.delete, try address(of: name), operation: "storage.delete")
      return true
    } catch let error as FieldError where Self.isAbsence(error) {
      return false
    }
  }

  /// Whether an object doesn't exist. The service reports that with a status or with plain text; an
  /// HTML page says nothing about the object.
  private static func isAbsence(_ error: FieldError) -> Bool {
    error.code == .firestoreNotFound || error.code == .notFound
  }

  /// Returns the URL of an object, or of the bucket's objects.
  func address(of name: String?, _ parameters: [(name: String, value: String)] = []) throws -> URL {
    if let name, name.isEmpty || name.utf8.count > 1_024 || name.contains(where: \.isNewline) {
      throw FieldError(
        .invalidInput, "The name of an object has 1 through 1,024 bytes in one line.")
    }
    // Servers and clients resolve these names as steps in the path, escaped or not.
    for name in [name, configuration.bucket].compactMap(\.self) where [".", ".."].contains(name) {
      throw FieldError(.invalidInput, "\"\(name)\" can't be the name of an object or a bucket.")
    }
    var root = configuration.endpoint.absoluteString
    while root.hasSuffix("/") { root.removeLast() }
    let object = name.map { "/\(PercentEncoding.component($0))" } ?? ""
    let text = "\(root)/v0/b/\(PercentEncoding.component(configuration.bucket))/o\(object)"
    guard let url = URL(string: text) else {
      throw FieldError(.invalidInput, "\(root) and the bucket don't form a URL.")
    }
    return try PercentEncoding.url(url, adding: parameters)
  }

  /// Sends a request, retrying transient failures, and returns a successful response.
  ///
  /// - Parameters:
  ///   - responseLimit: The largest content to receive, in bytes. Metadata and errors are small.
  ///   - repeats: Pass `false` to send the request only once. Defaults to `true`.
  func send(
    _ method: TransportRequest.Method, _ url: URL, fields: HTTPHeaderFields = [:],
    body: TransportBody? = nil, responseLimit: Int = 1 << 20, operation: String,
    repeats: Bool = true
  ) async throws -> TransportResponse {
    var request = TransportRequest(
      method, url: url, fields: configuration.fields, body: body, timeout: .seconds(600),
      responseLimit: max(responseLimit, 1 << 20), operation: operation, isIdempotent: false)
    // What is uploaded is for this server only.
    request.followsRedirects = method != .post
    for (name, value) in fields { request.fields[name] = value }
    return try await sender.send(
      request,
      authorization: { "\($0.kind == .firebase ? "Firebase" : "Bearer") \($0.value)" },
      isRetried: { repeats && Self.passes($0) }
    ) { try Self.success($0, operation) }
  }

  /// Returns a successful response, or throws the error of another one.
  private static func success(
    _ answer: TransportResponse, _ operation: String
  ) throws -> TransportResponse {
    guard !answer.isSuccess else { return answer }
    do {
      _ = try FirestoreProblem.value(of: answer, operation: operation)
      throw FieldError(.status, "HTTP \(answer.status)", operation: operation)
    } catch var error as FieldError {
      // The URL may be that of an upload session, which is a secret, and so may a field.
      error.response?.url = nil
      error.response?.fields["X-Goog-Upload-URL"] = nil
      throw error
    }
  }

  private static func passes(_ error: FieldError) -> Bool {
    switch error.code {
    case .firestoreUnavailable, .firestoreInternal, .firestoreDeadlineExceeded, .firestoreUnknown,
      .firestoreResourceExhausted, .connectionLost, .timeout, .bodyCut, .transport:
      true
    default: false
    }
  }
}
