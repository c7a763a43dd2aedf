internal import FieldCore
public import FieldFoundation

/// The rows of a dataset on a portal of any family, read page by page into records of your own.
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
/// Rows of ArcGIS and CKAN are requested in the order of the number that the portal gives them, after the last one that has been read,
/// never by an offset alone. So rows that are inserted or removed while pages are read make no other row disappear or appear twice. An
/// interrupted refresh continues after its last page. These portals don't say which rows have changed, so each refresh reads all rows,
/// unless an ArcGIS service states that nothing was edited since the last one, or an OpenDataSoft portal that nothing was processed.
///
/// OpenDataSoft gives rows no number. If the record's ID is a column of integers, they are requested in its order. Otherwise, all rows
/// are exported in one response, which the portal takes from one state of the dataset. It is in memory at once, and an interrupted
/// refresh begins again.
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
  private let reader: Reader

  private enum Reader {
    case pages(any PagedSource<Record>)
    case whole(TaipeiRows<Record>)
  }

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

  /// Creates a source of a dataset on an OpenDataSoft portal.
  ///
  /// - Parameters:
  ///   - dataset: The dataset's ID.
  ///   - portal: The URL of the portal, to which `api/explore/v2.1` is appended.
  ///   - transport: The transport to send requests with, which is used as it is.
  ///   - token: The source of the API key, which is sent in a header field; `nil` sends none.
  ///   - clock: The clock to wait with.
  ///   - dataSource: The source to credit beside the data.
  ///   - options: The options for reading the dataset.
  ///   - operation: The stable ID of the requests, such as `trees`.
  public init(
    openDataSoft dataset: String, at portal: URL, transport: any Transport,
    token: PortalToken? = nil, clock: any FieldClock = .system, dataSource: DataSource? = nil,
    options: SyncOptions = SyncOptions(), operation: String = "opendatasoft"
  ) {
    let client = PortalClient(
      family: .openDataSoft, transport: transport, token: token, clock: clock)
    self.init(
      .openDataSoft,
      OpenDataSoftTable(
        root: portal, dataset: dataset, column: Record.keyColumn, client: client), dataSource,
      options, operation)
  }

  /// Creates a source of a dataset on a Socrata portal.
  ///
  /// Unlike the other portals, these say which rows have changed, so a refresh reads only those.
  ///
  /// - Parameters:
  ///   - dataset: The dataset.
  ///   - key: The column of the record's ID, as the portal spells it. Defaults to the record's own name for it. A record whose ID is
  ///     made of several columns needs a column whose values identify rows.
  ///   - transport: The transport to send requests with, which is used as it is.
  ///   - token: The source of the app token; `nil` sends none.
  ///   - clock: The clock to wait with.
  ///   - dataSource: The source to credit beside the data.
  ///   - options: The options for reading the dataset.
  ///   - operation: The stable ID of the requests, such as `trees`.
  public init(
    socrata dataset: SODADataset, key: String? = nil, transport: any Transport,
    token: PortalToken? = nil, clock: any FieldClock = .system, dataSource: DataSource? = nil,
    options: SyncOptions = SyncOptions(), operation: String = "soda"
  ) {
    let client = SODAClient(dataset, transport: transport, token: token, clock: clock)
    family = .socrata
    self.dataSource = dataSource
    reader = .pages(
      client.source(of: .records(key: key), where: nil, options: options, operation: operation))
  }

  /// Creates a source of a dataset on data.taipei.
  ///
  /// The portal has only offsets, which move with the rows. So all pages are read at once, and only if they belong together; otherwise,
  /// the refresh fails with `openData.incomplete`, and the next one tries again.
  ///
  /// - Parameters:
  ///   - dataset: The dataset, whose IDs are tried in turn until one has data.
  ///   - portal: The reader of the portal, whose transport is used as it is.
  ///   - dataSource: The source to credit beside the data.
  ///   - operation: The stable ID of the requests, such as `trees`.
  public init(
    taipei dataset: TaipeiDataset, on portal: TaipeiOpenData, dataSource: DataSource? = nil,
    operation: String = "taipei"
  ) {
    family = .taipei
    self.dataSource = dataSource
    reader = .whole(TaipeiRows(dataset: dataset, portal: portal, operation: operation))
  }

  private init(
    _ family: PortalFamily, _ table: any PortalTable, _ dataSource: DataSource?,
    _ options: SyncOptions, _ operation: String
  ) {
    self.family = family
    self.dataSource = dataSource
    reader = .pages(PortalSource(table: table, options: options, operation: operation))
  }

  /// A value that identifies the table and its reader.
  public var fingerprint: String {
    switch reader {
    case .pages(let source): source.fingerprint
    case .whole(let source): source.fingerprint
    }
  }

  /// The rows as pages; `nil` for data.taipei, whose pages are used only together.
  public var pages: (any PagedSource<Record>)? {
    if case .pages(let source) = reader { return source }
    return nil
  }

  /// Returns all rows at once.
  public func fetch(_ request: RecordRequest) async throws -> Batch<Record> {
    switch reader {
    case .pages(let source): try await source.wholeBatch(request)
    case .whole(let source): try await source.fetch(request)
    }
  }
}
