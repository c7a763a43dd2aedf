public import FieldCore
internal import FieldFoundation

/// A source that requests the tables of a city hall from a ``CivicService`` over a transport.
///
/// For a server that expects other requests, pass a ``CivicService/RequestShape``. If its responses have another form, translate
/// them in a transport of yours, or pass rows that your app fetches itself to ``CivicDirectory/apply(_:to:advancingCursor:)``.
///
/// The tables aren't a `RecordSource`, which returns all records. A response contains only what has changed since the cursor, as parts
/// of rows, whose other columns and links are stored, and all tables are stored in one commit.
public struct CivicServer: Sendable {
  let service: CivicService
  private let transport: any Transport

  /// Creates a source from a description of a server and a transport, which is used as it is.
  public init(_ service: CivicService, transport: any Transport) {
    self.service = service
    self.transport = transport
  }

  /// A value that identifies the origin of cursors; if it changes, all rows are fetched again.
  var fingerprint: String {
    "\(CivicTable.reading) \(service.baseURL.absoluteString) \(service.project)"
  }

  /// Requests the rows of a table that have changed.
  ///
  /// - Parameters:
  ///   - table: The table to fetch.
  ///   - cursor: The second of the newest change received, in Unix seconds; 0 if there is none.
  /// - Returns: The rows, and the address that responded, after redirects.
  func fetch(
    _ table: CivicTable, changedSince cursor: Int64
  ) async throws -> (rows: [JSONValue], origin: URL) {
    let request = try await FieldError.wrapping(
      "The request for the table \(table) can't be created.", as: .invalidInput
    ) { try service.request.make(service, table, cursor) }
    let (bytes, origin) = try await FieldError.wrapping(
      "The table \(table) couldn't be requested.", as: .transport, operation: request.operation
    ) {
      let answer = try await transport.send(request)
      try answer.checkStatus(operation: request.operation)
      guard answer.status != 304 else {
        throw FieldError(
          .status, "The server responded with 304 instead of rows.", response: answer.head)
      }
      return (try answer.body.bytes(), answer.url ?? request.url)
    }
    return (try CivicAnswer.rows(ofAnswer: bytes, for: table), origin)
  }
}
