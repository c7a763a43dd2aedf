@testable import FieldCore
import FieldFakes
import FieldPortals
import Foundation
import Testing

/// A record of the scenarios: what a source says of it, and a note, which it may lack.
struct ScenarioStone: CatalogRecord, Hashable {
  let id: String
  var value: Int
  var note: String?
}

/// A family of sources that the scenarios run on, some of them in two versions of their software.
enum ScenarioFamily: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case socrata, arcGIS, oldArcGIS, ckan, newCKAN, openDataSoft, numberedOpenDataSoft, taipei, file

  var testDescription: String { rawValue }

  /// Those that are read page by page, so that a run continues after its last page.
  static let paged: [ScenarioFamily] = [
    .socrata, .arcGIS, .oldArcGIS, .ckan, .newCKAN, .numberedOpenDataSoft,
  ]

  /// Those that confirm what is stored with one small response.
  static let confirming: [ScenarioFamily] = [
    .socrata, .arcGIS, .openDataSoft, .numberedOpenDataSoft, .file,
  ]

  /// Those that can require a token.
  static let guarded: [ScenarioFamily] = [
    .socrata, .arcGIS, .oldArcGIS, .ckan, .newCKAN, .openDataSoft, .numberedOpenDataSoft,
  ]

  /// Those whose rows can have the same ID.
  static let repeating = allCases.filter { $0 != .numberedOpenDataSoft }

  var isPaged: Bool { Self.paged.contains(self) }
  var isConfirming: Bool { Self.confirming.contains(self) }

  var dialect: FakePortal.Dialect {
    switch self {
    case .arcGIS, .oldArcGIS: .arcGIS
    case .ckan, .newCKAN: .ckan
    default: .openDataSoft
    }
  }

  /// The ID of a row, in an order that isn't the one of the numbers.
  func id(_ number: Int) -> String {
    self == .numberedOpenDataSoft ? "\(number)" : "s\(number * 37 % 101)-\(number)"
  }

  func stone(_ number: Int, _ value: Int? = nil) -> ScenarioStone {
    ScenarioStone(id: id(number), value: value ?? number, note: "note \(number)")
  }

  func stones(_ numbers: some Sequence<Int>) -> [ScenarioStone] { numbers.map { stone($0) } }
}

/// A file with all rows, as a web server sends it: CSV with an entity tag, which confirms it.
final class PlainFile: Transport {
  private let state: Lock<(text: String, version: Int)>
  private let header: String

  init(header: String = "id,value,note") {
    self.header = header
    state = Lock((header + "\r\n", 0))
  }

  func publish(_ lines: [String]) {
    state.withLock { state in
      state.text = header + "\r\n" + lines.map { $0 + "\r\n" }.joined()
      state.version += 1
    }
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let (text, version) = state.withLock { $0 }
    let tag = "\"v\(version)\""
    if request.fields["If-None-Match"] == tag {
      return TransportResponse(status: 304, fields: ["ETag": tag])
    }
    return TransportResponse(
      status: 200, fields: ["Content-Type": "text/csv; charset=utf-8", "ETag": tag],
      body: .text(text))
  }
}
