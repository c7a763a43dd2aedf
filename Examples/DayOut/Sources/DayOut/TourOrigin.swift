import FieldKit
import Foundation
import Synchronization

/// The server behind the tour: it has good days and bad ones.
final class TourOrigin: Transport {
  enum Answer: Sendable {
    case firstDay
    case nextDay
    case empty
    case page
    case webPage
    case half
    case gone

    static let badOnes: [Answer] = [.empty, .page, .webPage, .half, .gone]

    var title: String {
      switch self {
      case .firstDay: "rows.json"
      case .nextDay: "CSV"
      case .empty: "an empty list"
      case .page: "a part of the rows"
      case .webPage: "a web page with status 200"
      case .half: "half a file"
      case .gone: "404"
      }
    }
  }

  private struct State: Sendable {
    var answer = Answer.firstDay
    var lastStatus = 0
  }

  private let state = Mutex(State())

  var answer: Answer {
    get { state.withLock(\.answer) }
    set { state.withLock { $0.answer = newValue } }
  }

  var lastStatus: Int { state.withLock(\.lastStatus) }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let answer = answer
    let tag = "W/\"\(answer)--gzip\""
    let response: TransportResponse =
      if request.fields["If-None-Match"] == tag {
        TransportResponse(status: 304, fields: ["ETag": tag])
      } else {
        TransportResponse(
          status: answer == .gone ? 404 : 200, fields: ["ETag": tag],
          body: .bytes(Self.body(of: answer)))
      }
    state.withLock { $0.lastStatus = response.status }
    return response
  }

  private static func body(of answer: Answer) -> [UInt8] {
    switch answer {
    case .firstDay: PackageResources.meteorites_json
    case .nextDay: PackageResources.meteorites_next_csv
    case .empty: Array("[]\n".utf8)
    case .page: Array("[{\"id\":\"1\",\"name\":\"Aachen\"}]\n".utf8)
    case .webPage, .gone: Array("<!DOCTYPE html><title>Data portal has moved</title>".utf8)
    case .half: Array(PackageResources.meteorites_json.prefix(6_000))
    }
  }
}
