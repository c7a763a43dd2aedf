public import FieldCore
public import FieldFoundation

/// A source that reads the zoo's data from files: saved responses and downloads of any year.
///
/// ```swift
/// let source = try await ZooFile(finding: [animals, areas])   // detects each table
/// let same = ZooFile([.animals: [animals], .areas: [areas]])  // names each table
/// let zoo = Zoo(sources: source.sources, storage: .inMemory)
/// ```
///
/// A table can be in several files, such as the pages of a response.
public struct ZooFile: Sendable {
  /// The URLs of each table's files.
  public var files: [ZooTable: [URL]]
  /// The maximum size of a file, in bytes.
  ///
  /// Defaults to 256 MiB.
  public var byteLimit: Int

  /// Creates a source that reads files whose tables are known.
  public init(_ files: [ZooTable: [URL]], byteLimit: Int = 256 << 20) {
    self.files = files
    self.byteLimit = byteLimit
  }

  /// Creates a source that reads files, and detects each table from its columns.
  ///
  /// - Throws: `FieldError` with the code `store.io` if a file can't be read,
  ///   `transport.responseTooLarge` if one exceeds the limit, or `zoo.unknownTable` or a more
  ///   specific `rows.…` code if one isn't a zoo table.
  @concurrent
  public init(finding urls: [URL], byteLimit: Int = 256 << 20) async throws {
    var files: [ZooTable: [URL]] = [:]
    for url in urls {
      try Task.checkCancellation()
      let bytes = try Self.bytes(of: url, limit: byteLimit)
      // Without a known column, the error of reading the file says what it is instead; a file that
      // reads without an error is empty.
      let table =
        try ZooBody.table(of: bytes)
        ?? Self.described(url) { () throws(FieldError) in
          try Batch<ZooRecord>.reading([bytes], as: nil, origin: url).table
        }
        ?? .animals
      files[table, default: []].append(url)
    }
    self.init(files, byteLimit: byteLimit)
  }

  /// The tables for which there are files.
  public var tables: [ZooTable] { ZooTable.allCases.filter { files[$0]?.isEmpty == false } }

  /// The sources of the tables for which there are files.
  public var sources: ZooSources {
    ZooSources(
      uniqueKeysWithValues: tables.map { table in
        (table, [Files(table: table, urls: files[table] ?? [], byteLimit: byteLimit)])
      })
  }

  /// Reads the files of a table, without storing it.
  ///
  /// - Throws: `FieldError` with the code `zoo.noSuchTable` if there is no file for the table, or
  ///   an error of ``init(finding:byteLimit:)`` or `Batch.init(reading:as:origin:)`.
  public func read(_ table: ZooTable) async throws -> Batch<ZooRecord> {
    guard let source = sources[table]?.first else {
      throw FieldError(
        .zooNoSuchTable, "There is no file for the zoo's \(table.rawValue).", operation: "zoo.file")
    }
    return try await source.fetch(RecordRequest())
  }

  fileprivate static func bytes(of url: URL, limit: Int) throws(FieldError) -> [UInt8] {
    try described(url) { () throws(FieldError) in
      try LocalFile.bytes(of: url, limit: limit, advice: "Use TaipeiZoo for a URL.")
    }
  }

  private static func described<Value>(
    _ url: URL, _ body: () throws(FieldError) -> Value
  ) throws(FieldError) -> Value {
    try FieldError.during("zoo.file") { () throws(FieldError) in
      try FieldError.naming(url.lastPathComponent, body)
    }
  }
}

/// The files of a table.
private struct Files: RecordSource {
  let table: ZooTable
  let urls: [URL]
  let byteLimit: Int

  var dataSource: DataSource? { .taipeiZoo }

  @concurrent
  func fetch(_ request: RecordRequest) async throws -> Batch<ZooRecord> {
    try Task.checkCancellation()
    let bodies = try urls.map { try ZooFile.bytes(of: $0, limit: byteLimit) }
    try Task.checkCancellation()
    return try FieldError.during("zoo.file") { () throws(FieldError) in
      try Batch<ZooRecord>.reading(
        bodies, as: table, origin: urls.first, names: urls.map(\.lastPathComponent))
    }
  }
}
