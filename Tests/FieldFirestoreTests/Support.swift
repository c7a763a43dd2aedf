import FieldCore
import FieldFakes
import FieldFirestore
import FirestoreFakes
import Foundation

/// A transport that answers every request with the same bytes, and keeps the requests.
final class CannedTransport: Transport {
  private let status: Int
  private let body: [UInt8]
  private let kept = Lock<[TransportRequest]>([])

  init(_ body: String, status: Int = 200) {
    self.status = status
    self.body = Array(body.utf8)
  }

  init(_ body: [UInt8]) {
    status = 200
    self.body = body
  }

  var requests: [TransportRequest] { kept.withLock { $0 } }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    kept.withLock { $0.append(request) }
    return TransportResponse(status: status, url: request.url, body: .bytes(body))
  }
}

extension FirestoreClient {
  /// A client that never retries.
  static func once(
    _ transport: any Transport, project: String = "p"
  ) -> FirestoreClient {
    var configuration = FirestoreConfiguration(project: project)
    configuration.retry = .never
    return FirestoreClient(configuration, transport: transport)
  }

  /// A client of a fake, whose waits are over at once.
  static func of(_ fake: FakeFirestore, over transport: (any Transport)? = nil) -> FirestoreClient {
    FirestoreClient(
      fake.configuration, transport: transport ?? fake, clock: ImmediateClock(), random: { 0.5 })
  }
}

/// The error that a call ends with; `nil` if it succeeds.
func failure(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async -> FieldError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? FieldError ?? FieldError(.init(rawValue: "other"), "\(error)")
  }
}

func json(_ text: String) throws -> JSONValue { try JSONDocument.value(Array(text.utf8)) }
