public import FieldCore
public import FieldFoundation

/// A provider of a service account's tokens, for servers.
///
/// The package contains no cryptography. You pass a closure that signs bytes with the account's
/// private key (RS256: RSASSA-PKCS1-v1_5 with SHA-256), for example with swift-crypto.
public final class ServiceAccountTokenProvider: TokenProvider {
  private let refresher: TokenRefresher

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - email: The account's email, `client_email` in its key file.
  ///   - keyID: The ID of the key, `private_key_id` in the file.
  ///   - scopes: The scopes of the tokens. Defaults to Firestore and Cloud Storage.
  ///   - transport: The transport that sends requests; it may retry.
  ///   - endpoint: The URL of the service. Defaults to Google's.
  ///   - clock: The clock that determines when tokens expire. Defaults to the system's.
  ///   - sign: Returns the signature of the given bytes.
  public init(
    email: String, keyID: String,
    scopes: [String] = [
      "https://www.googleapis.com/auth/datastore",
      "https://www.googleapis.com/auth/devstorage.read_write",
    ], transport: any Transport, endpoint: URL? = nil, clock: any FieldClock = .system,
    sign: @escaping @Sendable ([UInt8]) async throws -> [UInt8]
  ) {
    let service = endpoint ?? URL(literal: "https://oauth2.googleapis.com/token")
    refresher = TokenRefresher(clock: clock) {
      let issued = Int64(limiting: clock.now.timeIntervalSince1970.rounded(.down))
      let header: JSONValue = ["alg": "RS256", "typ": "JWT", "kid": .string(keyID)]
      let claims: JSONValue = [
        "iss": .string(email), "scope": .string(scopes.joined(separator: " ")),
        "aud": .string(service.absoluteString), "iat": .number(String(issued)),
        "exp": .number(String(issued + 3_600)),
      ]
      let text = [header, claims].map { Self.base64URL(Array($0.canonicalText.utf8)) }
        .joined(separator: ".")
      let signature = try await FieldError.wrapping(
        "The request for a token couldn't be signed.", as: .firestoreUnauthenticated,
        operation: "token.exchange"
      ) { try await sign(Array(text.utf8)) }
      let answer = try await TokenRefresher.answer(
        to: [
          ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
          ("assertion", "\(text).\(Self.base64URL(signature))"),
        ], at: service, operation: "token.exchange", over: transport)
      return try TokenRefresher.token(
        answer["access_token"]?.string, of: answer, kind: .google, at: clock.now,
        operation: "token.exchange")
    }
  }

  /// Returns a token of the account.
  ///
  /// - Throws: `FieldError` with the code `token.refused` if the service rejects the signature.
  public func token(replacing rejected: FirestoreToken?) async throws -> FirestoreToken? {
    try await refresher.token(replacing: rejected)
  }

  private static func base64URL(_ bytes: [UInt8]) -> String {
    let text = Data(bytes).base64EncodedString().utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension ServiceAccountTokenProvider: CustomStringConvertible, CustomReflectable {
  /// The word `ServiceAccountTokenProvider`, without the tokens.
  public var description: String { "ServiceAccountTokenProvider" }
  /// A mirror that doesn't show the tokens.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
