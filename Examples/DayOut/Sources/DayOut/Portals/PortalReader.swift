import FieldKit
import Foundation

/// Reads and stores a dataset whose columns aren't known beforehand.
struct PortalReader {
  let dataset: PortalDataset
  let transport: any Transport
  var token: PortalToken?
  let storage: Storage
  /// The column that identifies rows; `nil` uses the portal's own, or all cells.
  var key: String?
  var pageSize = 10_000

  func describe() async throws -> PortalDescription {
    let description = try await dataset.describe(over: transport, token: token)
    if let key, !description.columns.isEmpty, key != Self.number(of: description),
      !description.columns.contains(where: { $0.name == key })
    {
      throw UsageError(
        "there is no column \(key); they are "
          + description.columns.map(\.name).joined(separator: ", "))
    }
    return description
  }

  /// Returns the column that identifies rows; `nil` if all cells do.
  func key(of description: PortalDescription) -> String? { key ?? Self.number(of: description) }

  /// Returns the column of the number that the portal gives each row.
  private static func number(of description: PortalDescription) -> String? {
    guard !description.isFile else { return nil }
    switch description.family {
    case .arcGIS: return description.columns.first { $0.type == "esriFieldTypeOID" }?.name
    case .ckan: return "_id"
    case .socrata: return ":id"
    default: return nil
    }
  }

  /// Returns the catalog of the rows.
  func rows(of description: PortalDescription) -> Catalog<PortalRow> {
    let source = PortalRowSource(
      base: description.rows(
        of: AnyRow.self, transport: transport, token: token,
        options: SyncOptions(pageSize: pageSize)),
      key: key(of: description),
      location: description.columns.first { $0.kind == .location }?.name)
    return Catalog(storedName, sources: [source], storage: storage)
  }

  /// Returns the catalog of the rows that are stored, without asking the portal.
  func storedRows() -> Catalog<PortalRow> { Catalog(storedName, sources: [], storage: storage) }

  /// One store for each address.
  private var storedName: String {
    "rows-\(BlobID(of: Array(dataset.address.absoluteString.utf8)).hexadecimal.prefix(16))"
  }
}
