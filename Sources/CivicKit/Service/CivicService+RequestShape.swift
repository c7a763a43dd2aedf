public import FieldCore
internal import FieldFoundation

extension CivicService {
  /// How a table is asked for.
  ///
  /// The old app asked through a closed framework, so the form of its requests is not known for certain.
  /// ``form`` is made of the words that were found in the framework; for a server that wants another one,
  /// give a closure.
  public struct RequestShape: Sendable {
    let make: @Sendable (CivicService, CivicTable, Int) throws -> TransportRequest

    /// Makes a shape from what makes the request for a table: it is given the service, the table, and the
    /// cursor, in Unix seconds, 0 for everything. Rows that were changed in the cursor's own second have to
    /// be among the answer.
    public init(
      _ make: @escaping @Sendable (CivicService, CivicTable, Int) throws -> TransportRequest
    ) {
      self.make = make
    }

    /// A POST to `dataUpdate.php` of a form with `action` (`getData`), `projectId`, `tableName` and
    /// `lastUpdateTime`.
    ///
    /// It is not known whether the server gives rows of exactly that second. So the form asks for one
    /// second earlier: whatever changed in the cursor's second comes, either way.
    public static var form: RequestShape {
      RequestShape { service, table, cursor in
        let base = service.baseURL.absoluteString
        guard let url = URL(string: (base.hasSuffix("/") ? base : base + "/") + "dataUpdate.php")
        else { throw FieldError(.invalidInput, "the base address of the service is none") }
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
