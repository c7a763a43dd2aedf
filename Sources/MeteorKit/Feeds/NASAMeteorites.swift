public import FieldCore
public import FieldFoundation

/// NASA's present files of the dataset: the default source of a catalog.
///
/// The dataset's API was shut down in 2025; what is left are static files of 45,716 rows that have
/// not changed since 2013. The addresses are tried in turn until one gives a snapshot that can be
/// complete: the catalogue's stable download of `rows.json`, the same file at its legacy path, and the
/// CSV. Meteorites that the files no longer have are removed by snapshot.
///
/// The file `gh4g-9sfh.json` beside them looks like the old API and holds the first 1,000 rows only;
/// it is not among the addresses, and the ``/FieldCore/SnapshotGuard`` refuses it.
public struct NASAMeteorites: MeteoriteSource {
  /// The addresses, in the order in which they are tried.
  public var addresses: [URL]
  /// When meteorites that the files do not have are removed; by snapshot unless told otherwise.
  public var deletion: DeletionPolicy
  /// Header fields that are sent along, such as a `User-Agent`.
  public var fields: HTTPHeaderFields
  /// How long each download may take; two minutes unless told otherwise.
  public var timeout: Duration

  private let transport: any Transport

  /// Makes the source.
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

  /// Where the files are since 2025.
  public static var presentAddresses: [URL] {
    [
      URL(
        literal: """
          https://data.nasa.gov/dataset/b2dd98a1-4489-4e04-8618-25908cd5face/resource/\
          5d286d0c-88c0-4ed7-a8a7-5988098c762b/download
          """),
      URL(
        literal:
          "https://data.nasa.gov/docs/legacy/meteorite_landings/Meteorite_Landings.json"),
      URL(
        literal: "https://data.nasa.gov/docs/legacy/meteorite_landings/Meteorite_Landings.csv"),
    ]
  }

  /// NASA's dataset.
  public var dataSource: DataSource { .meteoriteLandings }

  /// Gets the rows from the first address that gives a snapshot that can be complete.
  ///
  /// - Throws: The first address's error when none does. Being offline is thrown at once.
  public func fetch(_ request: MeteoriteRequest) async throws -> MeteoriteBatch {
    var firstError: (any Error)?
    for address in addresses {
      do {
        let download = MeteoriteDownload(
          address, transport: transport, fields: fields, deletion: deletion, timeout: timeout)
        let delivery = try await download.fetch(request)
        if deletion == .bySnapshot, let rows = delivery.rows {
          try rows.check(request.snapshotGuard, stored: request.storedCount)
        }
        return delivery
      } catch let error as FieldError where error.code != .offline {
        firstError = firstError ?? error
      }
    }
    throw firstError
      ?? FieldError(.invalidInput, "there is no address to get the meteorites from")
  }
}

extension MeteoriteRows {
  /// Throws when the rows cannot be a complete snapshot.
  func check(_ snapshotGuard: SnapshotGuard, stored: Int) throws(FieldError) {
    try snapshotGuard.check(
      rows: count, announced: announcedCount, failures: failures, stored: stored)
  }
}
