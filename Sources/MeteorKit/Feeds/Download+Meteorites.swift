public import FieldCore
public import FieldFoundation

extension Download<Meteorite> {
  /// Creates a source that downloads NASA's dataset from a URL, in any format and any of its generations.
  ///
  /// - Parameters:
  ///   - url: The URL to download from.
  ///   - transport: The transport to download with, which is used as it is.
  ///   - fields: The header fields to send with the request, such as a `User-Agent`.
  ///   - deletion: The policy for removing meteorites that the response doesn't contain.
  ///   - timeout: The maximum duration of the download. Defaults to 120 seconds.
  public init(
    _ url: URL, transport: any Transport, fields: HTTPHeaderFields = [:],
    deletion: DeletionPolicy = .bySnapshot, timeout: Duration = .seconds(120)
  ) {
    self.init(
      url, transport: transport, fields: fields, timeout: timeout, deletion: deletion,
      dataSource: .meteoriteLandings, operation: "meteorites.snapshot", fingerprint: ""
    ) { try Batch(reading: $0, charset: $1) }
  }

  /// Returns NASA's current files of the dataset, which are a catalog's default sources.
  ///
  /// The dataset's API was shut down in 2025. What remains are static files with 45,716 rows that
  /// haven't changed since 2013. A catalog tries the addresses in turn until one returns a plausible
  /// snapshot: the stable download of `rows.json`, the same file at its legacy path, and
  /// the CSV. Meteorites that the files no longer contain are removed by snapshot.
  ///
  /// The file `gh4g-9sfh.json` beside them looks like the old API but contains only the first 1,000
  /// rows. It isn't among the addresses, and the ``/FieldCore/SnapshotGuard`` rejects it.
  ///
  /// ```swift
  /// let sources = Download<Meteorite>.nasa(transport: transport, fields: ["User-Agent": "Stones/1"])
  /// let catalog = MeteoriteCatalog(sources: sources, storage: storage)
  /// ```
  ///
  /// - Parameters:
  ///   - transport: The transport to download with, which is used as it is.
  ///   - addresses: The URLs, in the order in which they are tried.
  ///   - fields: The header fields to send with each request, such as a `User-Agent`.
  ///   - deletion: The policy for removing meteorites that the files don't contain.
  ///   - timeout: The maximum duration of each download. Defaults to 120 seconds.
  public static func nasa(
    transport: any Transport, addresses: [URL] = nasaAddresses, fields: HTTPHeaderFields = [:],
    deletion: DeletionPolicy = .bySnapshot, timeout: Duration = .seconds(120)
  ) -> [Self] {
    addresses.map {
      Self($0, transport: transport, fields: fields, deletion: deletion, timeout: timeout)
    }
  }

  /// The URLs of NASA's files since 2025.
  public static var nasaAddresses: [URL] {
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
}

extension FileRows<Meteorite> {
  /// Creates a source that reads NASA's dataset from a file, in any format and any of its generations.
  ///
  /// ```swift
  /// let catalog = MeteoriteCatalog(source: FileRows<Meteorite>(url), storage: .inMemory)
  /// try await catalog.refresh()
  /// ```
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - deletion: The policy for removing meteorites that the file doesn't contain. Pass `.never` if it
  ///     contains only part of the table.
  public init(_ url: URL, deletion: DeletionPolicy = .bySnapshot) {
    self.init(
      url, deletion: deletion, dataSource: .meteoriteLandings, operation: "meteorites.file",
      fingerprint: ""
    ) { try Batch(reading: $0) }
  }
}

extension DataSource {
  /// NASA's table of meteorite landings.
  public static var meteoriteLandings: DataSource {
    DataSource(
      name: "Meteorite Landings",
      chineseName: "隕石墜落紀錄",
      publisher: "NASA Open Data Portal; The Meteoritical Society",
      page: URL(literal: "https://data.nasa.gov/dataset/meteorite-landings"),
      license: "U.S. Government work, public access level \"public\"; no license text is attached.",
      attribution: "Meteorite Landings: NASA / The Meteoritical Society")
  }
}
