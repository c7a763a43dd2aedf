public import FieldCore
internal import FieldFoundation

extension CivicService {
  /// The form of the requests for tables.
  ///
  /// The old app sent its requests through a closed framework, so their form isn't known for
  /// certain. ``form`` is reconstructed from strings in that framework. If your server needs
  /// another form, pass a closure.
  public struct RequestShape: Sendable {
    let make: @Sendable (CivicService, CivicTable, Int64) throws -> TransportRequest

    /// Creates a shape from a closure that makes the request for a table.
    ///
    /// The closure receives the service, the table, and the cursor in Unix seconds, which is 0 to
    /// request everything. The response must include rows that changed in the cursor's own second.
    public init(
      _ make: @escaping @Sendable (CivicService, CivicTable, Int64) throws -> TransportRequest
    ) { self.make = make }

    /// A POST request to `dataUpdate.php` with the form fields `action` (`getData`), `projectId`,
    /// `tableName`, and `lastUpdateTime`.
    ///
    /// It isn't known whether the server returns rows that changed in exactly that second. The
    /// request therefore asks for one second earlier, so that they are returned either way.
    public static var form: RequestShape {
      RequestShape { service, table, cursor in
        let base = service.baseURL.absoluteString
        guard let url = URL(string: (base.hasSuffix("/") ? base : base + "/") + "dataUpdate.php")
        else { throw FieldError(.invalidInput, "The service's base URL isn't usable.") }
        let form = PercentEncoding.query([
          ("action", "getData"), ("projectId", service.project), ("tableName", table.rawValue),
          ("lastUpdateTime", String(max(0, cursor - 1))),
        ])
        return TransportRequest(
          .post, url: url, fields: ["Content-Type": "application/x-www-form-urlencoded"],
          body: .text(form), responseLimit: 64 << 20, operation: "civic.table",
          isIdempotent: true)
      }
    }
  }
}
