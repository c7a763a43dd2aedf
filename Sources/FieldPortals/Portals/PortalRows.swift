internal import FieldCore
public import FieldFoundation

/// The rows of a dataset on an ArcGIS or CKAN portal, read page by page into records of your own.
///
/// ```swift
/// let trees = Catalog(
///   "trees",
///   sources: [
///     PortalRows<Tree>(arcGIS: layerURL, transport: URLSessionTransport().retrying(.portal))
///   ], storage: storage)
/// try await trees.refresh()
/// ```
///
/// Rows are requested in the order of the number that the portal gives them, after the last one that has been read, never by an offset
/// alone. So rows that are inserted or removed while pages are read make no other row disappear or appear twice. An interrupted refresh
/// continues after its last page. These portals don't say which rows have changed, so each refresh reads all rows, unless an ArcGIS
/// service states that nothing was edited since the last one.
///
/// | Column of ArcGIS | What records read |
/// |---|---|
/// | a date | the moment; the service sends milliseconds |
/// | a coded value or a subtype | its text, and the code in a column whose name ends in `_code` |
/// | `geometry` | a location on WGS84: that of a point, or of the middle of a shape |
/// | `shape_geojson` | the whole shape as GeoJSON, if it isn't a point |
public struct PortalRows<Record: StoredRecord & RowReadable>: RecordSource {
  /// The family of the portal.
  public let family: PortalFamily
  /// The source to credit beside the data; `nil` if it isn't known.
  public var dataSource: DataSource?
  private let source: PortalSource<Record>

  /// Creates a source of a layer or a table of an ArcGIS feature service.
  ///
  /// - Parameters:
  ///   - layer: The URL of the layer, such as `https://…/FeatureServer/0`, or of a query of it.
  ///   - transport: The transport to send requests with, which is used as it is.
  ///   - token: The source of the token, which is sent in a header field; `nil` sends none.
  ///   - clock: The clock to wait with.
  ///   - dataSource: The source to credit beside the data.
  ///   - options: The options for reading the layer. The service may return fewer rows per page.
  ///   - operation: The stable ID of the requests, such as `trees`.
  public init(
    arcGIS layer: URL, transport: any Transport, token: PortalToken? = nil,
    clock: any FieldClock = .system, dataSource: DataSource? = nil,
    options: SyncOptions = SyncOptions(), operation: String = "arcgis"
  ) {
    let client = PortalClient(family: .arcGIS, transport: transport, token: token, clock: clock)
    self.init(
      .arcGIS, ArcGISTable(ArcGISTable.layer(of: layer), client: client), dataSource, options,
      operation)
  }

  /// Creates a source of a resource in the datastore of a CKAN portal.
  ///
  /// - Parameters:
  ///   - resource: The resource's ID.
  ///   - portal: The URL of the portal, to which `api/3/action` is appended.
  ///   - transport: The transport to send requests with, which is used as it is.
  ///   - token: The source of the API token, which is sent in a header field; `nil` sends none.
  ///   - clock: The clock to wait with.
  ///   - dataSource: The source to credit beside the data.
  ///   - options: The options for reading the resource.
  ///   - operation: The stable ID of the requests, such as `trees`.
  public init(
    ckan resource: String, at portal: URL, transport: any Transport, token: PortalToken? = nil,
    clock: any FieldClock = .system, dataSource: DataSource? = nil,
    options: SyncOptions = SyncOptions(), operation: String = "ckan"
  ) {
    let client = PortalClient(family: .ckan, transport: transport, token: token, clock: clock)
    self.init(
      .ckan, CKANTable(root: portal, resource: resource, client: client), dataSource, options,
      operation)
  }

  private init(
    _ family: PortalFamily, _ table: any PortalTable, _ dataSource: DataSource?,
    _ options: SyncOptions, _ operation: String
  ) {
    self.family = family
    self.dataSource = dataSource
    source = PortalSource(table: table, options: options, operation: operation)
  }

  /// A value that identifies the table and its reader.
  public var fingerprint: String { source.fingerprint }

  /// The rows as pages.
  public var pages: (any PagedSource<Record>)? { source }

  /// Returns all rows at once.
  public func fetch(_ request: RecordRequest) async throws -> Batch<Record> {
    try await source.fetch(request)
  }
}
