public import FieldCore
public import FieldFoundation

/// A server that a directory is synchronised with, table by table.
///
/// ```swift
/// let service = CivicService(
///   baseURL: base,                                       // https://…/controller/service/
///   mediaURL: media,                                     // https://…/media/
///   project: "project_1450347754")
/// let directory = CivicDirectory(service: service, storage: storage, transport: transport)
/// ```
///
/// No server is a default: the old one was a bare address of 2017.
///
/// Each table is asked for what has changed since its cursor, the second of the newest change that has
/// come. An answer is `{"result":0,"data":[…]}`; rows have `isDelete`.
public struct CivicService: Sendable {
  /// The address that the names of the server's scripts are put behind.
  public var baseURL: URL
  /// The address that ``mediaURL(of:)`` puts `project/…` behind; nil when there are no pictures.
  public var mediaURL: URL?
  /// The city's project at the server, such as `project_1450347754`.
  public var project: String
  /// The tables to ask for, in order; those of the old app by default.
  public var tables: [CivicTable]
  /// How a table is asked for.
  public var request: RequestShape
  /// What the tables are and whom to name beside them; nil when nobody has said.
  public var dataSource: DataSource?

  /// Makes a description of a server.
  public init(
    baseURL: URL, mediaURL: URL? = nil, project: String,
    tables: [CivicTable] = CivicTable.synchronised, request: RequestShape = .form,
    dataSource: DataSource? = nil
  ) {
    self.baseURL = baseURL
    self.mediaURL = mediaURL
    self.project = project
    self.tables = tables
    self.request = request
    self.dataSource = dataSource
  }

  /// The address of a picture or an icon: `media/project/{project}/{file}`; nil when the server has no
  /// media, or the name is none of a single file.
  public func mediaURL(of file: String) -> URL? {
    guard let mediaURL, MediaName.isPlain(file) else { return nil }
    let base = mediaURL.absoluteString
    return URL(
      string: (base.hasSuffix("/") ? base : base + "/")
        + "project/\(PercentEncoding.component(project))/\(PercentEncoding.component(file))")
  }
}
