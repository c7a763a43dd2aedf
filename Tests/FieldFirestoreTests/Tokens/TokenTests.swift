import FieldCore
import FieldFakes
import FieldFirestore
import Foundation
import Testing

@Suite struct TokenTests {
  private func answer(_ token: String, refresh: String = "r1") -> TransportResponse {
    TransportResponse(
      status: 200,
      body: .text(
        #"{"access_token":"\#(token)","id_token":"\#(token)","expires_in":"3600","refresh_token":"\#(refresh)","token_type":"Bearer","user_id":"u","project_id":"p"}"#
      ))
  }

  /// A service of tokens that numbers them.
  private final class Service: Transport {
    private let count = Lock(0)
    private let isRotating: Bool
    private let sent = Lock<[String]>([])
    let refusal = Lock<TransportResponse?>(nil)

    init(isRotating: Bool = false) { self.isRotating = isRotating }

    var bodies: [String] { sent.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      let body = String(decoding: try request.body?.bytes() ?? [], as: UTF8.self)
      sent.withLock { $0.append(body) }
      await Task.yield()
      if let refusal = refusal.withLock({ $0 }) { return refusal }
      let number = count.withLock { count in
        count += 1
        return count
      }
      return TokenTests().answer("t\(number)", refresh: isRotating ? "r\(number + 1)" : "r1")
    }
  }

  @Test func `all callers share one request, and the token is kept until it nearly expires`()
    async throws
  {
    let service = Service()
    let clock = ManualClock()
    let tokens = SecureTokenProvider(
      apiKey: "key", refreshToken: "r1", transport: service, clock: clock)
    let values = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<20 { group.addTask { try await tokens.token(replacing: nil)?.value } }
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(values == ["t1"])
    #expect(service.bodies == ["grant_type=refresh_token&refresh_token=r1"])
    clock.advance(by: .seconds(3_200))
    #expect(try await tokens.token(replacing: nil)?.value == "t1")
    clock.advance(by: .seconds(200))
    #expect(try await tokens.token(replacing: nil)?.value == "t2")
    #expect(try await tokens.token(replacing: FirestoreToken("t1"))?.value == "t2")
  }

  @Test func `a failed early renewal keeps the old token, until it has expired`() async throws {
    let service = Service()
    let clock = ManualClock()
    let tokens = SecureTokenProvider(
      apiKey: "key", refreshToken: "r1", transport: service, clock: clock)
    _ = try await tokens.token(replacing: nil)
    service.refusal.withLock { $0 = TransportResponse(status: 503) }
    clock.advance(by: .seconds(3_400))
    #expect(try await tokens.token(replacing: nil)?.value == "t1")
    #expect(try await tokens.token(replacing: nil)?.value == "t1")
    #expect(service.bodies.count == 2)
    clock.advance(by: .seconds(190))
    let error = await failure { _ = try await tokens.token(replacing: nil) }
    #expect(error?.code == .firestoreUnavailable)
  }

  @Test func `a rotated refresh token is handed over and used`() async throws {
    let service = Service(isRotating: true)
    let kept = Lock<[String]>([])
    let clock = ManualClock()
    let tokens = SecureTokenProvider(
      apiKey: "key", refreshToken: "r1", transport: service, clock: clock
    ) { rotated in kept.withLock { $0.append(rotated) } }
    _ = try await tokens.token(replacing: nil)
    clock.advance(by: .seconds(3_600))
    _ = try await tokens.token(replacing: nil)
    #expect(kept.withLock { $0 } == ["r2", "r3"])
    #expect(service.bodies.last == "grant_type=refresh_token&refresh_token=r2")
  }

  @Test func `a refused refresh token has a code of its own, and no secret is shown`() async throws
  {
    let service = Service()
    service.refusal.withLock {
      $0 = TransportResponse(
        status: 400,
        url: URL(string: "https://securetoken.example/v1/token?key=APIKEY"),
        body: .text(
          #"{"error":{"code":400,"message":"TOKEN_EXPIRED","status":"INVALID_ARGUMENT"}}"#))
    }
    let tokens = SecureTokenProvider(
      apiKey: "APIKEY", refreshToken: "SECRET", transport: service, clock: ManualClock())
    let error = await failure { _ = try await tokens.token(replacing: nil) }
    #expect(error?.code == .tokenRefused)
    let token = FirestoreToken("SECRET")
    var shown = "\(tokens) \(token) \(String(reflecting: token)) \(String(describing: error))"
    dump(token, to: &shown)
    dump(tokens, to: &shown)
    dump(FirestoreConfiguration(project: "p", tokens: FixedTokenProvider(token)), to: &shown)
    #expect(!shown.contains("SECRET") && !shown.contains("APIKEY"))
    #expect(shown.contains("TOKEN_EXPIRED"))
  }

  @Test func `a service account signs its request`() async throws {
    let transport = CannedTransport(#"{"access_token":"ya29","expires_in":3599}"#)
    let tokens = ServiceAccountTokenProvider(
      email: "a@b", keyID: "k", transport: transport, clock: ManualClock(),
      sign: { Array($0.suffix(3)) })
    let token = try await tokens.token(replacing: nil)
    #expect(token?.value == "ya29" && token?.kind == .google)
    let body = String(decoding: try transport.requests[0].body?.bytes() ?? [], as: UTF8.self)
    let parts = try #require(body.split(separator: "assertion=").last).split(separator: ".")
    #expect(parts.count == 3)
    let claims = try JSONDocument.value(try #require(FirestoreValue.base64(String(parts[1]))))
    #expect(claims["iss"]?.string == "a@b")
    #expect(claims["exp"]?.integer == claims["iat"]?.integer.map { $0 + 3_600 })
  }
}
