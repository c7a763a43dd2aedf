public import FieldFoundation

/// A source that downloads the rows at a URL.
///
/// ```swift
/// let source = Download<Tree>(url, transport: URLSessionTransport().retrying(), operation: "trees.rows")
/// let batch = try await source.fetch(RecordRequest())
/// ```
///
/// If the stored records include an earlier response from this exact URL, the request is conditional, so an unchanged source costs
/// only one small response.
public struct Download<Record: StoredRecord>: RecordSource {
  /// The URL to download from.
  public var url: URL
  /// The header fields to send with the request, such as a `User-Agent`.
  public var fields: HTTPHeaderFields
  /// The maximum duration of the download.
  public var timeout: Duration
  /// The policy for removing records that the response doesn't contain.
  public var deletion: DeletionPolicy
  /// The source to credit beside the data; `nil` if it isn't known.
  public var dataSource: DataSource?
  /// The maximum size of the response, in bytes.
  public var byteLimit: Int
  /// The stable ID of the request, for errors, events, and stubs.
  public var operation: String
  /// A value that identifies how the rows are read.
  public let fingerprint: String
  private let transport: any Transport
  private let read: @Sendable (_ bytes: [UInt8], _ charset: String?) throws -> Batch<Record>

  /// Creates a source whose response is read by a closure.
  ///
  /// - Parameters:
  ///   - url: The URL to download from.
  ///   - transport: The transport to download with, which is used as it is.
  ///   - fields: The header fields to send with the request.
  ///   - timeout: The maximum duration of the download. Defaults to 60 seconds.
  ///   - deletion: The policy for removing records that the response doesn't contain.
  ///   - dataSource: The source to credit beside the data.
  ///   - byteLimit: The maximum size of the response, in bytes. Defaults to 256 MiB.
  ///   - operation: The stable ID of the request.
  ///   - fingerprint: A value that identifies the closure. Change it if the closure reads other values, so that all rows are
  ///     read again.
  ///   - read: A closure that returns the records in a body, given the encoding that the response names, if any. It throws
  ///     ``FieldError`` if the body isn't rows.
  public init(
    _ url: URL, transport: any Transport, fields: HTTPHeaderFields = [:],
    timeout: Duration = .seconds(60), deletion: DeletionPolicy = .bySnapshot,
    dataSource: DataSource? = nil, byteLimit: Int = 256 << 20, operation: String = "rows",
    fingerprint: String,
    reading read: @escaping @Sendable (_ bytes: [UInt8], _ charset: String?) throws -> Batch<Record>
  ) {
    self.url = url
    self.transport = transport
    self.fields = fields
    self.timeout = timeout
    self.deletion = deletion
    self.dataSource = dataSource
    self.byteLimit = byteLimit
    self.operation = operation
    self.fingerprint = fingerprint
    self.read = read
  }

  /// Downloads and reads the rows.
  ///
  /// - Throws: ``FieldError`` if the status isn't a success, or if the body isn't rows.
  @concurrent
  public func fetch(_ request: RecordRequest) async throws -> Batch<Record> {
    let address = url.absoluteString
    let conditional = ConditionalRequest(
      TransportRequest(
        url: url, fields: fields, timeout: timeout, responseLimit: byteLimit, operation: operation),
      known: request.validators[address])
    let response = try await FieldError.wrapping(
      "The rows couldn't be downloaded.", as: .transport, operation: operation
    ) { try await transport.send(conditional.request) }
    let answer = try conditional.answer(of: response)
    try Task.checkCancellation()
    let validators = answer.validators.map { [address: $0] } ?? [:]
    let origin = response.url ?? url
    guard answer.isNew else { return .notModified(validators: validators, origin: origin) }
    request.willRead()
    var batch = try response.reading(operation: operation) { try read($0, response.charset) }
    batch.facts.origin = origin
    batch.facts.serverDate = response.serverDate
    batch.facts.validators = validators
    return batch
  }
}

extension Download where Record: RowReadable {
  /// Creates a source whose response has rows in any of the formats that ``RowReadable`` names.
  ///
  /// - Parameters:
  ///   - url: The URL to download from.
  ///   - transport: The transport to download with, which is used as it is.
  ///   - fields: The header fields to send with the request.
  ///   - timeout: The maximum duration of the download. Defaults to 60 seconds.
  ///   - deletion: The policy for removing records that the response doesn't contain.
  ///   - dataSource: The source to credit beside the data.
  ///   - byteLimit: The maximum size of the response, in bytes. Defaults to 256 MiB.
  ///   - operation: The stable ID of the request.
  public init(
    _ url: URL, transport: any Transport, fields: HTTPHeaderFields = [:],
    timeout: Duration = .seconds(60), deletion: DeletionPolicy = .bySnapshot,
    dataSource: DataSource? = nil, byteLimit: Int = 256 << 20, operation: String = "rows"
  ) {
    self.init(
      url, transport: transport, fields: fields, timeout: timeout, deletion: deletion,
      dataSource: dataSource, byteLimit: byteLimit, operation: operation, fingerprint: ""
    ) { try Batch(reading: $0, charset: $1) }
  }
}
