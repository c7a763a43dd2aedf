import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import MeteorKit
import Testing

/// Small answers of a portal, written down row by row.
enum SmallSODA {
  /// A row with the fields that order it: `:id` and `:updated_at`.
  static func row(_ number: Int, changed second: Int = 0, _ members: String) -> String {
    let time = TimestampWriter.iso8601(
      Date(timeIntervalSince1970: 1_767_225_600 + Double(second)))
    let separator = members.isEmpty ? "" : ","
    return "{\":id\":\"row-\(number)\",\":updated_at\":\"\(time)\"\(separator)\(members)}"
  }

  static func body(_ rows: [String]) -> String { "[\(rows.joined(separator: "\n,"))]\n" }

  /// Answers page requests with these bodies, one after the other, then with no rows.
  static func transport(
    _ operation: String, _ bodies: [String],
    also configure: (inout StubTransport.Stubs) -> Void = {
      _ in
    }
  ) -> StubTransport {
    let left = Lock(bodies)
    return StubTransport {
      configure(&$0)
      $0.on("\(operation).page") { _ in
        let body = left.withLock { $0.isEmpty ? "[]\n" : $0.removeFirst() }
        return HTTPResponse(
          status: 200, fields: ["Content-Type": "application/json"], body: .text(body))
      }
    }
  }

  static func client(
    _ transport: any Transport, version: SODAVersion = .v2_1, token: SODAToken? = nil
  ) throws -> SODAClient {
    SODAClient(
      try SODADataset("abcd-1234", at: "data.example.org", version: version), transport: transport,
      token: token, clock: ImmediateClock())
  }

  /// The meteorites of rows, read as pages of a portal are: through the engine into a catalog.
  static func meteorites(
    _ rows: [String], deletion: DeletionPolicy = .never
  ) async throws -> (meteorites: [Meteorite], report: RefreshReport) {
    let bodies = [
      body(rows.enumerated().map { number, members in row(number, changed: number, members) })
    ]
    let catalog = MeteoriteCatalog(
      source: SODAMeteorites(
        try client(transport("meteorites", bodies)), deletion: deletion), storage: .inMemory)
    let report = try await catalog.refresh(.now)
    return (Array(try await catalog.view().all), report)
  }

  /// The meteorites of rows in both ways in which JSON comes, as pages of a portal and as one file.
  static func bothWays(_ rows: [String]) async throws -> [[Meteorite]] {
    let file = try MeteoriteRows(reading: Array(body(rows.map { "{\($0)}" }).utf8))
    return [try await meteorites(rows).meteorites, file.meteorites]
  }
}
