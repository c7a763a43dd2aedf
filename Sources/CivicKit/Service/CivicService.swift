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
