//! Operations that are sent to a server when there is a network, exactly once.

// snippet.hide
import FieldKit
import Foundation

// snippet.show
// snippet.record
/// A bicycle that somebody found broken.
struct Report: Codable, Equatable, Sendable {
  var bike: String
  var text: String
  var number: Int?
}

enum ReportRecord: OutboxRecord {
  case report(Report)
  case operation(OutboxOperation<Report>)

  var id: String {
    switch self {
    case .report(let report): "report/\(report.bike)"
    case .operation(let operation): "operation/\(operation.id)"
    }
  }
  var operation: OutboxOperation<Report>? {
    if case .operation(let operation) = self { operation } else { nil }
  }
}
// snippet.end

// snippet.target
struct Workshop: OutboxTarget {
  let url: URL
  let transport: any Transport
  let delivery = OutboxDelivery.receipts()

  func send(_ operation: OutboxOperation<Report>) async throws -> Int {
    let body = try JSONEncoder().encode(operation.payload)
    return try await answer(
      TransportRequest(
        .put, url: url.appending(path: operation.key.uuidString), body: .bytes([UInt8](body)),
        operation: "workshop.report"))
  }

  func status(of operation: OutboxOperation<Report>) async throws -> OutboxStatus<Int> {
    do {
      let request = TransportRequest(
        url: url.appending(path: operation.key.uuidString), operation: "workshop.status")
      return .applied(try await answer(request))
    } catch let error as FieldError where error.response?.status == 404 {
      return .notApplied
    }
  }

  private func answer(_ request: TransportRequest) async throws -> Int {
    struct Receipt: Decodable { var number: Int }
    let response = try await transport.send(request)
    guard response.isSuccess else {
      throw FieldError(.status, "HTTP \(response.status)", response: response.head)
    }
    return try JSONDecoder().decode(Receipt.self, from: Data(response.body.bytes())).number
  }
}
// snippet.end
// snippet.hide

// snippet.show
// snippet.outbox
func makeOutbox(storage: Storage, workshop: Workshop) -> Outbox<ReportRecord> {
  Outbox(
    store: storage.store("reports"), target: workshop,
    merging: { $0.bike == $1.bike ? $1 : nil }  // ten edits become one operation
  ) { operation, number, reports, changes in
    let id = "report/\(operation.payload.bike)"
    guard case .report(var report)? = reports[id: id] else { return }
    report.number = number  // committed together with the end of the operation
    changes.upsert(.report(report))
  }
}
// snippet.end
// snippet.hide

func writing(_ outbox: Outbox<ReportRecord>) async throws {
  // snippet.show
  // snippet.enqueue
  let report = Report(bike: "4711", text: "flat tire")
  try await outbox.update { reports, changes in
    changes.upsert(.report(report))
    changes.enqueue(report, lane: "bike/\(report.bike)")
  }
  // snippet.end

  // snippet.send
  try await outbox.run()  // until the task is canceled

  let left = try await outbox.send()  // or once, as in a background task
  print(left.count, left.nextAttempt as Any)
  // snippet.end
  // snippet.hide
}

func showing(_ outbox: Outbox<ReportRecord>) async throws {
  // snippet.show
  // snippet.pending
  for try await view in outbox.updates() {
    print("\(view.count) waiting, \(view.byteCount) bytes, since", view.oldest as Any)
    print(view.lastError?.message ?? "", view.fractionCompleted)
    print(view.operations(about: "bike/4711").map(\.state))
  }
  // snippet.end
  // snippet.hide
}

func deciding(_ outbox: Outbox<ReportRecord>) async throws {
  // snippet.show
  // snippet.rejected
  for operation in try await outbox.pending().rejected {
    switch operation.lastError?.response?.status {
    case 413: try await outbox.edit(operation.id) { $0.text = String($0.text.prefix(1_000)) }
    case 403: try await outbox.resend(operation.id)  // after signing in to another account
    default:
      try await outbox.update { _, changes in
        try changes.discard(operation.id)
        changes.remove("report/\(operation.payload.bike)")
      }
    }
  }
  // snippet.end
  // snippet.hide
}
