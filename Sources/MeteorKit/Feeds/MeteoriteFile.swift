public import FieldCore
public import FieldFoundation

/// A source that reads NASA's dataset from a file, in any format and any of its generations.
///
/// ```swift
/// let catalog = MeteoriteCatalog(source: MeteoriteFile(url), storage: .inMemory)
/// try await catalog.refresh()
/// ```
///
/// By default, the file is treated as a complete snapshot, and meteorites that it doesn't contain
/// are removed. Pass `.never` if the file contains only part of the table.
public struct MeteoriteFile: MeteoriteSource {
  /// The URL of the file.
  public var url: URL
  /// The policy for removing meteorites that the file doesn't contain.
  ///
  /// Defaults to `.bySnapshot`.
  public var deletion: DeletionPolicy

  /// Creates a source that reads from a file.
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
      let bytes = try LocalFile.bytes(of: url, advice: "Use MeteoriteDownload for a URL.")
      return MeteoriteBatch(rows: try MeteoriteRows(reading: bytes), origin: url)
    } catch var error as FieldError {
      error.operation = "meteorites.file"
      throw error
    }
  }
}
