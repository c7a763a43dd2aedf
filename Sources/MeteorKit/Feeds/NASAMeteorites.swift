public import FieldCore
public import FieldFoundation

/// NASA's current files of the dataset, which are a catalog's default source.
///
/// The dataset's API was shut down in 2025. What remains are static files with 45,716 rows that
/// haven't changed since 2013. The addresses are tried in turn until one returns a plausible
/// snapshot: the catalog's stable download of `rows.json`, the same file at its legacy path, and
/// the CSV. Meteorites that the files no longer contain are removed by snapshot.
///
/// The file `gh4g-9sfh.json` beside them looks like the old API but contains only the first 1,000
/// rows. It isn't among the addresses, and the ``/FieldCore/SnapshotGuard`` rejects it.
public struct NASAMeteorites: MeteoriteSource {
  /// The URLs, in the order in which they are tried.
  public var addresses: [URL]
  /// The policy for removing meteorites that the files don't contain.
  ///
  /// Defaults to `.bySnapshot`.
  public var deletion: DeletionPolicy
  /// The header fields to send with each request, such as a `User-Agent`.
  public var fields: HTTPHeaderFields
  /// The maximum duration of each download.
  ///
  /// Defaults to 120 seconds.
  public var timeout: Duration

  private let transport: any Transport

  /// Creates a source that downloads NASA's files.
  public init(
    transport: any Transport,
    addresses: [URL] = Self.presentAddresses,
    fields: HTTPHeaderFields = [:],
    deletion: DeletionPolicy = .bySnapshot,
    timeout: Duration = .seconds(120)
  ) {
    self.transport = transport
    self.addresses = addresses
    self.fields = fields
    self.deletion = deletion
    self.timeout = timeout
  }

  /// The URLs of the files since 2025.
  public static var presentAddresses: [URL] {
    [
      URL(
        literal: """
          https://data.nasa.gov/dataset/b2dd98a1-4489-4e04-8618-25908cd5face/resource/\
          5d286d0c-88c0-4ed7-a8a7-5988098c762b/download
          """),
      URL(literal: "https://data.nasa.gov/docs/legacy/meteorite_landings/Meteorite_Landings.json"),
      URL(literal: "https://data.nasa.gov/docs/legacy/meteorite_landings/Meteorite_Landings.csv"),
    ]
  }

  /// NASA's dataset.
  public var dataSource: DataSource { .meteoriteLandings }

  /// Fetches the rows from the first address that returns a plausible snapshot.
  ///
  /// - Throws: The first address's error if no address succeeds. If the device is offline, the
  ///   method throws immediately.
  public func fetch(_ request: MeteoriteRequest) async throws -> MeteoriteBatch {
    var firstError: (any Error)?
    for address in addresses {
      do {
        let download = MeteoriteDownload(
          address, transport: transport, fields: fields, deletion: deletion, timeout: timeout)
        let batch = try await download.fetch(request)
        if deletion == .bySnapshot, let rows = batch.rows {
          try request.snapshotGuard.check(
            rows: rows.count, announced: rows.announcedCount, failures: rows.failures,
            stored: request.storedCount)
        }
        return batch
      } catch let error as FieldError where error.code != .offline {
        firstError = firstError ?? error
      }
    }
    throw firstError
      ?? FieldError(.invalidInput, "No URL is set for the meteorites.")
  }
}
