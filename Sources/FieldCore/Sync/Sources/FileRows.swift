public import FieldFoundation

/// A source that reads the rows in a file, such as one that a user has picked or that your app contains.
///
/// ```swift
/// let trees = Catalog("trees", sources: [FileRows<Tree>(url)], storage: storage)
/// try await trees.refresh()
/// ```
///
/// By default, the file is treated as complete, and records that it doesn't contain are removed. Pass
/// ``DeletionPolicy/never`` if it contains only a part of them.
public struct FileRows<Record: StoredRecord>: RecordSource {
  /// The URL of the file.
  public var url: URL
  /// The policy for removing records that the file doesn't contain.
  public var deletion: DeletionPolicy
  /// The source to credit beside the data; `nil` if it isn't known.
  public var dataSource: DataSource?
  /// The maximum size of the file, in bytes.
  public var byteLimit: Int
  /// The stable ID of reading the file, for errors.
  public var operation: String
  /// A value that identifies how the rows are read.
  public let fingerprint: String
  private let read: @Sendable (_ bytes: [UInt8]) throws -> Batch<Record>

  /// Creates a source whose file is read by a closure.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - deletion: The policy for removing records that the file doesn't contain.
  ///   - dataSource: The source to credit beside the data.
  ///   - byteLimit: The maximum size of the file, in bytes. By default, it isn't limited.
  ///   - operation: The stable ID of reading the file, for errors.
  ///   - fingerprint: A value that identifies the closure. Change it if the closure reads other values.
  ///   - read: A closure that returns the records in the file. It throws ``FieldError`` if the file doesn't contain rows.
  public init(
    _ url: URL, deletion: DeletionPolicy = .bySnapshot, dataSource: DataSource? = nil,
    byteLimit: Int = .max, operation: String = "rows.file", fingerprint: String,
    reading read: @escaping @Sendable (_ bytes: [UInt8]) throws -> Batch<Record>
  ) {
    self.url = url
    self.deletion = deletion
    self.dataSource = dataSource
    self.byteLimit = byteLimit
    self.operation = operation
    self.fingerprint = fingerprint
    self.read = read
  }

  /// Reads the file.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` if the URL isn't a file URL,
  ///   ``FieldError/Code/io`` if the file can't be read, ``FieldError/Code/responseTooLarge`` if it exceeds the limit, or another
  ///   code if it doesn't contain rows.
  @concurrent
  public func fetch(_ request: RecordRequest) async throws -> Batch<Record> {
    try Task.checkCancellation()
    do {
      let bytes = try LocalFile.bytes(of: url, limit: byteLimit, advice: "Use Download for a URL.")
      try Task.checkCancellation()
      request.willRead()
      var batch = try read(bytes)
      batch.facts.origin = url
      return batch
    } catch var error as FieldError {
      error.operation = operation
      throw error
    }
  }
}

extension FileRows where Record: RowReadable {
  /// Creates a source whose file has rows in any of the formats that ``RowReadable`` names.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - deletion: The policy for removing records that the file doesn't contain.
  ///   - dataSource: The source to credit beside the data.
  ///   - byteLimit: The maximum size of the file, in bytes. By default, it isn't limited.
  ///   - operation: The stable ID of reading the file, for errors.
  public init(
    _ url: URL, deletion: DeletionPolicy = .bySnapshot, dataSource: DataSource? = nil,
    byteLimit: Int = .max, operation: String = "rows.file"
  ) {
    self.init(
      url, deletion: deletion, dataSource: dataSource, byteLimit: byteLimit, operation: operation,
      fingerprint: ""
    ) { try Batch(reading: $0) }
  }
}
