import FieldCore
import MeteorKit
import TestSupport

extension SmallSODA {
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
    let file = try Batch<Meteorite>(reading: Array(body(rows.map { "{\($0)}" }).utf8))
    return [try await meteorites(rows).meteorites, file.records]
  }
}
