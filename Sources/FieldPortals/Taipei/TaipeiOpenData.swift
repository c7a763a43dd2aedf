public import FieldCore
public import FieldFoundation

/// A reader for the datasets of data.taipei, one page at a time, over any transport.
///
/// ```swift
/// let portal = TaipeiOpenData(transport: URLSessionTransport())
/// let stations = try await portal.table(of: .metroStations)
/// for row in stations.rows { print(row["StationName"] ?? "", row["StationAddress"] ?? "") }
/// ```
///
/// You can read any dataset as rows of text. The kits use this type to read theirs into models.
///
/// - **Paging.** The portal returns at most 1,000 rows at once, whatever the requested limit. Pages
///   are requested until all announced rows have been received.
/// - **IDs.** If one of the dataset's IDs is retired, the next one is tried. An array without rows
///   is accepted as it is: if the current ID has no rows, that is no reason to return the old data
///   of a former one.
/// - **Nothing is cached.** The portal sends no validators. For the age of the data, see
///   `_importdate` in ``OpenDataTable/importedAt``.
///
/// Errors, in addition to those of the transport:
///
/// | code | cause |
/// |---|---|
/// | `openData.retired` | 404, or JSON without rows, for all IDs of the dataset |
/// | `openData.incomplete` | fewer rows than announced, a repeated page, or rows that moved |
/// | `rows.notData` | an HTML page or a text such as `Unauthorized` instead of data, with status 200 |
/// | `http.status` | a status other than success; the portal has answered 500 for days |
/// | `rows.malformed`, `rows.cut`, `rows.encoding`, `rows.empty` | invalid or incomplete JSON |
public struct TaipeiOpenData: Sendable {
  /// The base URL of the portal, to which the paths of its API are appended.
  public var base: URL
  /// The API to use, of the portal's two.
  public var form: Form
  /// The number of rows per request, from 1 through 1,000.
  public var pageSize: Int { didSet { pageSize = Self.validPageSize(pageSize) } }
  /// The maximum number of pages to request.
  ///
  /// Defaults to 1,000.
  public var maximumPageCount: Int
  /// The `User-Agent` to send; `nil` leaves it to the transport.
  ///
  /// The portal has answered agents that don't look like a browser with an error page.
  public var userAgent: String?
  /// The maximum duration of a request for a page.
  ///
  /// Defaults to 60 seconds.
  public var timeout: Duration
  /// The maximum size of a page, in bytes.
  ///
  /// Defaults to 32 MiB.
  public var pageLimit: Int

  package let transport: any Transport

  /// Creates a reader of the portal.
  public init(
    transport: any Transport,
    base: URL = Self.portal,
    form: Form = .v1,
    pageSize: Int = 1000,
    maximumPageCount: Int = 1000,
    userAgent: String? = Self.defaultUserAgent,
    timeout: Duration = .seconds(60),
    pageLimit: Int = 32 << 20
  ) {
    self.transport = transport
    self.base = base
    self.form = form
    self.pageSize = Self.validPageSize(pageSize)
    self.maximumPageCount = maximumPageCount
    self.userAgent = userAgent
    self.timeout = timeout
    self.pageLimit = pageLimit
  }

  /// The URL of the portal, `https://data.taipei`.
  public static var portal: URL { URL(literal: "https://data.taipei") }

  /// The default `User-Agent`.
  public static var defaultUserAgent: String { "Mozilla/5.0 (compatible; FieldKit)" }

  private static func validPageSize(_ size: Int) -> Int { min(max(size, 1), 1000) }

  /// An API of the portal.
  public struct Form: RawRepresentable, Hashable, Sendable {
    /// The name of the API.
    public var rawValue: String
    /// Creates an API from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The current API: `/api/v1/dataset/{rid}?scope=resourceAquire&limit=…&offset=…`.
    public static var v1: Self { Self(rawValue: "v1") }
    /// The API of 2014 to 2019, for mirrors and recorded responses:
    /// `/opendata/datalist/apiAccess?scope=resourceAquire&rid={rid}&limit=…&offset=…`.
    public static var retired: Self { Self(rawValue: "retired") }
  }
}

extension TaipeiOpenData {
  /// Returns the URL of a page of a resource.
  ///
  /// - Parameters:
  ///   - resource: The ID of the data.
  ///   - text: The text that rows must contain in any of their columns; `nil` for all rows.
  ///   - offset: The number of rows before the page.
  /// - Throws: `FieldError` with the code `input.invalid` if ``base`` doesn't accept a path or
  ///   query.
  public func address(
    of resource: TaipeiDataset.Resource, matching text: String? = nil, offset: Int = 0
  ) throws -> URL {
    // The portal spells it without a c.
    var items = [(name: "scope", value: "resourceAquire")]
    let path: String
    if form == .retired {
      path = "/opendata/datalist/apiAccess"
      items.append(("rid", resource.rawValue))
    } else {
      path = "/api/v1/dataset/\(PercentEncoding.segment(resource.rawValue))"
    }
    if let text, !text.isEmpty { items.append(("q", text)) }
    items += [("limit", String(pageSize)), ("offset", String(offset))]
    var root = base.absoluteString
    while root.hasSuffix("/") { root.removeLast() }
    guard let url = URL(string: root + path, encodingInvalidCharacters: false) else {
      throw FieldError(.invalidInput, "\(base.absoluteString) can't be the URL of data.taipei.")
    }
    return try PercentEncoding.url(url, adding: items)
  }

  func request(_ url: URL, operation: String) -> TransportRequest {
    var fields: HTTPHeaderFields = ["Accept": "application/json"]
    fields["User-Agent"] = userAgent
    return TransportRequest(
      url: url, fields: fields, timeout: timeout, responseLimit: pageLimit, operation: operation)
  }
}
