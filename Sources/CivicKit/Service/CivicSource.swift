public import FieldCore
public import FieldFoundation

/// A type that returns the changes in the tables of a city hall.
///
/// ``CivicServer`` requests them from the old app's server. Implement the protocol for another one:
///
/// - Return all rows of a table that changed since the cursor, or all rows if the cursor is 0. A
///   row whose `isDelete` isn't 0 was deleted.
/// - Throw `FieldError` if there are no rows to return. The directory then changes nothing.
public protocol CivicSource: Sendable {
  /// The tables of the source, in the order in which they are fetched.
  var tables: [CivicTable] { get }

  /// A value that identifies the origin of cursors; if it changes, all rows are fetched again.
  var fingerprint: String { get }

  /// The source to credit beside the data; `nil` if it isn't known.
  var dataSource: DataSource? { get }

  /// Returns the address of a picture or an icon, or `nil` if the source has no such file.
  func mediaURL(of file: String) -> URL?

  /// Returns the changes in a table.
  ///
  /// - Parameters:
  ///   - table: The table to fetch.
  ///   - cursor: The second of the newest change received, in Unix seconds; 0 if there is none.
  func fetch(_ table: CivicTable, changedSince cursor: Int) async throws -> CivicBatch
}

/// The changed rows of a table.
public struct CivicBatch: Sendable, Hashable, Codable {
  /// The rows as JSON, in the form of a server's response: `{"result":0,"data":[…]}`.
  public var json: Data
  /// The address that responded, after redirects.
  public var origin: URL?

  /// Creates a batch.
  public init(json: Data, origin: URL? = nil) {
    self.json = json
    self.origin = origin
  }
}

/// A source that requests tables from a ``CivicService`` over a transport.
public struct CivicServer: CivicSource {
  private let service: CivicService
  private let transport: any Transport

  /// Creates a source from a description of a server and a transport, which is used as it is.
  public init(_ service: CivicService, transport: any Transport) {
    self.service = service
    self.transport = transport
  }

  /// The tables of the service.
  public var tables: [CivicTable] { service.tables }
  /// The server and the project.
  public var fingerprint: String { "civic/1 \(service.baseURL.absoluteString) \(service.project)" }
  /// The source to credit beside the data.
  public var dataSource: DataSource? { service.dataSource }

  /// Returns the address of a picture or an icon, or `nil` if the service has no media.
  public func mediaURL(of file: String) -> URL? { service.mediaURL(of: file) }

  /// Requests the changes in a table from the server.
  public func fetch(_ table: CivicTable, changedSince cursor: Int) async throws -> CivicBatch {
    let request = try await FieldError.wrapping(
      "The request for the table \(table) can't be created.", as: .invalidInput
    ) { try service.request.make(service, table, cursor) }
    return try await FieldError.wrapping(
      "The table \(table) couldn't be requested.", as: .transport, operation: request.operation
    ) {
      let answer = try await transport.send(request)
      try answer.checkStatus(operation: request.operation)
      guard answer.status != 304 else {
        throw FieldError(
          .status, "The server responded with 304 instead of rows.", response: answer.head)
      }
      return CivicBatch(json: Data(try answer.body.bytes()), origin: answer.url ?? request.url)
    }
  }
}
