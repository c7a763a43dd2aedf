public import FieldCore
public import FieldFoundation

/// The zoo's data in files: saved answers and downloads of the portal, of any year.
///
/// ```swift
/// let source = try await ZooFile(finding: [animals, areas])   // what is what is read off the columns
/// let same = ZooFile([.animals: [animals], .areas: [areas]])  // or said
/// ```
///
/// A table may be in several files, such as the pages of an answer.
public struct ZooFile: ZooSource {
  /// The files of each table.
  public var files: [ZooTable: [URL]]
  /// How many bytes a file may have; 256 MiB unless told otherwise.
  public var byteLimit: Int

  /// Makes a source of files whose tables are known.
  public init(_ files: [ZooTable: [URL]], byteLimit: Int = 256 << 20) {
    self.files = files
    self.byteLimit = byteLimit
  }

  /// Makes a source of files, and looks into each to find out which table it is.
  ///
  /// - Throws: `FieldError` with the code `store.io` when a file cannot be read,
  ///   `transport.responseTooLarge` when one is over the limit, and `zoo.unknownTable`, or the `rows.…`
  ///   code that says more, when it is none of the zoo's.
  @concurrent
  public init(finding urls: [URL], byteLimit: Int = 256 << 20) async throws {
    var files: [ZooTable: [URL]] = [:]
    for url in urls {
      try Task.checkCancellation()
      let bytes = try Self.bytes(of: url, limit: byteLimit)
      if let table = ZooBody.table(of: bytes) {
        files[table, default: []].append(url)
      } else {
        // The error of reading it tells what it is instead; what is read without one is empty.
        let table = try Self.described(url) { () throws(FieldError) in
          try ZooBatch.reading([bytes], as: nil, origin: url).table
        }
        files[table, default: []].append(url)
      }
    }
    self.init(files, byteLimit: byteLimit)
  }

  /// The open data of Taipei Zoo.
  public var dataSource: DataSource { .taipeiZoo }

  /// The tables that there are files of.
  public var tables: [ZooTable] { ZooTable.allCases.filter { files[$0]?.isEmpty == false } }

  /// Reads the files of a table.
  ///
  /// - Throws: `FieldError` with the code `zoo.noSuchTable` when there is no file of it, and those of
  ///   ``init(finding:byteLimit:)`` and ``ZooBatch/init(reading:as:origin:)``.
  @concurrent
  public func read(_ table: ZooTable) async throws -> ZooBatch {
    try Task.checkCancellation()
    guard let urls = files[table], let first = urls.first else {
      throw FieldError(
        .zooNoSuchTable, "there is no file of the zoo's \(table.rawValue)", operation: "zoo.file")
    }
    var bodies: [[UInt8]] = []
    for url in urls { bodies.append(try Self.bytes(of: url, limit: byteLimit)) }
    try Task.checkCancellation()
    do throws(FieldError) {
      return try ZooBatch.reading(
        bodies, as: table, origin: first, names: urls.map(\.lastPathComponent))
    } catch {
      var error = error
      error.operation = "zoo.file"
      throw error
    }
  }

  private static func bytes(of url: URL, limit: Int) throws(FieldError) -> [UInt8] {
    try described(url) { () throws(FieldError) in
      try LocalFile.bytes(of: url, limit: limit, advice: "use TaipeiZoo for an address")
    }
  }

  private static func described<Value>(
    _ url: URL, _ body: () throws(FieldError) -> Value
  ) throws(FieldError) -> Value {
    do throws(FieldError) {
      return try FieldError.naming(url.lastPathComponent, body)
    } catch {
      var error = error
      error.operation = "zoo.file"
      throw error
    }
  }
}
