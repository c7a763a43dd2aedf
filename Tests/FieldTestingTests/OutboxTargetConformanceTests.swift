import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing

/// A note for the ``NoteBoard``.
private struct BoardNote: Codable, Hashable, Sendable {
  var text: String
}

/// A server that notes are sent to.
private final class NoteBoard: Transport {
  private struct State {
    var notes: [BoardNote] = []
    var numbers: [String: Int] = [:]
  }

  private let state = Lock(State())

  var notes: [BoardNote] { state.withLock(\.notes) }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let key = request.fields["Idempotency-Key"]
    if request.method == .get {
      let number = key.flatMap { key in state.withLock { $0.numbers[key] } }
      return number.map { Self.response(200, #"{"number":\#($0)}"#) }
        ?? Self.response(404, #"{"number":null}"#)
    }
    let note = try JSONDecoder().decode(
      BoardNote.self, from: Data(try request.body?.bytes() ?? []))
    guard !note.text.isEmpty else { return Self.response(422, #"{"error":"no text"}"#) }
    let number = state.withLock { state in
      if let key, let number = state.numbers[key] { return number }
      state.notes.append(note)
      if let key { state.numbers[key] = state.notes.count }
      return state.notes.count
    }
    return Self.response(201, #"{"number":\#(number)}"#)
  }

  private static func response(_ status: Int, _ text: String) -> TransportResponse {
    TransportResponse(
      status: status, fields: ["Content-Type": "application/json"], body: .text(text))
  }
}

/// A target that does everything right, but for one defect.
private struct BoardTarget: OutboxTarget {
  typealias Case = OutboxTargetConformance.Case

  enum Defect: CaseIterable {
    case noKey, payloadAsKey, trustsAnySuccess, takesErrorsForRejections, takesErrorsForSuccess
    case takesErrorsForNotApplied, guessesStatus, alwaysHasReceipt, ignoresToken
    case ignoresRateLimit, rejectsServerErrors, takesRefusalsForUnknown

    var failingCases: Set<Case> {
      switch self {
      case .noKey:
        [
          .sending, .repeatedKey, .concurrentKey, .lostResponse, .truncatedResponse, .failingStatus,
        ]
      case .payloadAsKey: [.twoKeys, .unknownKey]
      case .trustsAnySuccess: [.webPage]
      case .takesErrorsForRejections:
        [
          .lostRequest, .lostResponse, .truncatedResponse, .webPage, .expiredToken, .rateLimit,
          .failingServer,
        ]
      case .takesErrorsForSuccess:
        [
          .refusal, .lostRequest, .lostResponse, .webPage, .expiredToken, .rateLimit,
          .failingServer, .cancellation,
        ]
      case .takesErrorsForNotApplied: [.refusal, .lostResponse, .truncatedResponse, .webPage]
      case .guessesStatus: [.failingStatus]
      case .alwaysHasReceipt: [.unknownKey, .refusal, .lostRequest, .failingStatus]
      case .ignoresToken: [.expiredToken]
      case .ignoresRateLimit: [.rateLimit]
      case .rejectsServerErrors: [.failingServer]
      case .takesRefusalsForUnknown: [.refusal]
      }
    }
  }

  let transport: any Transport
  var defect: Defect?
  var delivery = OutboxDelivery.receipts()

  private static let url = URL(literal: "https://board.example/notes")

  private func key(_ operation: OutboxOperation<BoardNote>) -> HTTPHeaderFields {
    switch defect {
    case .noKey: [:]
    case .payloadAsKey: ["Idempotency-Key": operation.payload.text]
    default: ["Idempotency-Key": operation.key.uuidString]
    }
  }

  func send(_ operation: OutboxOperation<BoardNote>) async throws -> Int {
    do {
      let body = try JSONEncoder().encode(operation.payload)
      let response = try await transport.send(
        TransportRequest(
          .post, url: Self.url, fields: key(operation), body: .bytes([UInt8](body)),
          operation: "notes.add"))
      if defect == .trustsAnySuccess, response.isSuccess { return 0 }
      return try Self.number(response, 201) ?? 0
    } catch {
      if defect == .takesErrorsForSuccess { return 0 }
      throw error
    }
  }

  func status(of operation: OutboxOperation<BoardNote>) async throws -> OutboxStatus<Int> {
    guard case .receipts = delivery else { return .unknown }
    if defect == .alwaysHasReceipt { return .applied(0) }
    do {
      let response = try await transport.send(
        TransportRequest(url: Self.url, fields: key(operation), operation: "notes.status"))
      let number = try Self.number(response, response.status == 404 ? 404 : 200)
      return number.map { .applied($0) } ?? .notApplied
    } catch {
      if defect == .guessesStatus { return .notApplied }
      throw error
    }
  }

  func failure(for error: any Error) -> OutboxFailure {
    let failure = OutboxFailure(error)
    switch (defect, failure) {
    case (.takesErrorsForRejections, _): return .rejected
    case (.takesErrorsForNotApplied, .unknown), (.takesErrorsForNotApplied, .rejected):
      return .notApplied
    case (.ignoresToken, .unauthorized), (.ignoresRateLimit, .rateLimited): return .unknown
    case (.takesRefusalsForUnknown, .rejected): return .unknown
    case (.rejectsServerErrors, .unknown):
      return (error as? FieldError)?.response?.status ?? 0 >= 500 ? .rejected : .unknown
    default: return failure
    }
  }

  private static func number(_ response: TransportResponse, _ status: Int) throws -> Int? {
    struct Answer: Decodable { var number: Int? }
    guard response.status == status,
      let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body.bytes()))
    else {
      throw FieldError(.status, "HTTP \(response.status)", response: response.head)
    }
    return answer.number
  }
}

@Suite("Outbox target conformance", .timeLimit(.minutes(60)))
struct OutboxTargetConformanceTests {
  private static func failures(
    _ makeTarget: @escaping @Sendable (any Transport) -> BoardTarget
  ) async throws -> [ConformanceFailure<OutboxTargetConformance.Case>] {
    try await OutboxTargetConformance.failures(
      invalid: BoardNote(text: ""), patience: .seconds(60), makeTarget
    ) {
      NoteBoard()
    } payload: {
      BoardNote(text: "note \($0)")
    } applied: {
      $0.notes
    }
  }

  @Test(
    "outbox target conformance passes a target that does everything right",
    arguments: [OutboxDelivery.receipts(), .idempotent()])
  func correct(delivery: OutboxDelivery) async throws {
    let failures = try await Self.failures { BoardTarget(transport: $0, delivery: delivery) }
    #expect(failures.map(\.description) == [])
  }

  @Test("outbox target conformance passes a target that declares delivery at least once")
  func atLeastOnce() async throws {
    let failures = try await Self.failures {
      BoardTarget(transport: $0, defect: .noKey, delivery: .atLeastOnce)
    }
    #expect(failures.map(\.description) == [])
  }

  @Test(
    "outbox target conformance finds what a target does wrong",
    arguments: BoardTarget.Defect.allCases)
  private func defects(defect: BoardTarget.Defect) async throws {
    let failures = try await Self.failures { BoardTarget(transport: $0, defect: defect) }
    #expect(
      Set(failures.map(\.testCase)) == defect.failingCases,
      "\(defect): \(failures.map(\.description))")
  }
}
