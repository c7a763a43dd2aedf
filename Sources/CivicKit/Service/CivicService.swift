public import FieldCore
public import FieldFoundation

/// A server that a directory is synchronized with, table by table.
///
/// ```swift
/// let service = CivicService(
///   baseURL: base,                                       // https://…/controller/service/
///   mediaURL: media,                                     // https://…/media/
///   project: "project_1450347754")
/// let directory = CivicDirectory(service: service, storage: storage, transport: transport)
/// ```
///
/// There is no default server: the old one was a bare address of 2017.
///
/// Each request asks for the changes in one table since its cursor, which is the second of the
/// newest change received. A response is `{"result":0,"data":[…]}`, and its rows have `isDelete`.
public struct CivicService: Sendable {
  /// The address that the names of the server's scripts are appended to.
  public var baseURL: URL
  /// The address that ``mediaURL(of:)`` appends `project/…` to; `nil` if there are no pictures.
  public var mediaURL: URL?
  /// The city's project on the server, such as `project_1450347754`.
  public var project: String
  /// The tables to request, in order.
  ///
  /// Defaults to those of the old app.
  public var tables: [CivicTable]
  /// The form of the requests.
  public var request: RequestShape
  /// The source to credit beside the data; `nil` if it isn't known.
  public var dataSource: DataSource?

  /// Creates a description of a server.
  public init(
    baseURL: URL, mediaURL: URL? = nil, project: String,
    tables: [CivicTable] = CivicTable.synchronized, request: RequestShape = .form,
    dataSource: DataSource? = nil
  ) {
    self.baseURL = baseURL
    self.mediaURL = mediaURL
    self.project = project
    self.tables = tables
    self.request = request
    self.dataSource = dataSource
  }

  /// Returns the address of a picture or an icon: `media/project/{project}/{file}`.
  ///
  /// Returns `nil` if the server has no media, or if `file` isn't a plain file name.
  public func mediaURL(of file: String) -> URL? {
    guard let mediaURL, MediaName.isPlain(file) else { return nil }
    let base = mediaURL.absoluteString
    return URL(
      string: (base.hasSuffix("/") ? base : base + "/")
        + "project/\(PercentEncoding.segment(project))/\(PercentEncoding.segment(file))")
  }
}

// MARK: - Request shape

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
