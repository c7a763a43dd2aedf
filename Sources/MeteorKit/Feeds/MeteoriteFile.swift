public import FieldCore
public import FieldFoundation

/// Meteorites in a file: any form of NASA's dataset, in any of its generations.
///
/// ```swift
/// let catalog = MeteoriteCatalog(source: MeteoriteFile(url), storage: .inMemory)
/// try await catalog.refresh()
/// ```
///
/// By default the file is taken for a complete snapshot, and meteorites that it does not have are
/// removed; pass `.never` for a part of the table.
public struct MeteoriteFile: MeteoriteSource {
  /// The file.
  public var url: URL
  /// When meteorites that the file does not have are removed; by snapshot unless told otherwise.
  public var deletion: DeletionPolicy

  /// Makes a source of a file.
  public init(_ url: URL, deletion: DeletionPolicy = .bySnapshot) {
    self.url = url
    self.deletion = deletion
  }

  /// NASA's dataset.
  public var dataSource: DataSource { .meteoriteLandings }

  /// Reads the file.
  @concurrent
  public func fetch(_ request: MeteoriteRequest) async throws -> MeteoriteBatch {
    try Task.checkCancellation()
    do {
      let bytes = try LocalFile.bytes(of: url, advice: "use MeteoriteDownload for an address")
      return MeteoriteBatch(rows: try MeteoriteRows(reading: bytes), origin: url)
    } catch var error as FieldError {
      error.operation = "meteorites.file"
      throw error
    }
  }
}
