public import FieldCore
public import FieldFoundation

/// Reads the datasets of data.taipei, a page at a time, over any transport.
///
/// ```swift
/// let portal = TaipeiOpenData(transport: URLSessionTransport())
/// let stations = try await portal.table(of: .metroStations)
/// for row in stations.rows { print(row["StationName"] ?? "", row["StationAddress"] ?? "") }
/// ```
///
/// Any dataset can be read as rows of text. The kits read theirs into models; this is what they share.
///
/// - **Paging.** The portal gives at most 1,000 rows at once, whatever is asked for. So pages are asked
///   for until the number of rows that came is the number that the portal announces.
/// - **Ids.** When an id of the dataset is retired, the next one is tried. An array without rows is
///   believed: that today's id is empty for once is no reason to give what yesterday's still has.
/// - **Nothing is cached.** The portal sends no validators; how old the data are is in `_importdate`,
///   see ``OpenDataTable/importedAt``.
///
/// Errors, besides those of the transport:
///
/// | code | what came |
/// |---|---|
/// | `openData.retired` | 404, or JSON without rows, for all ids of the dataset |
/// | `openData.incomplete` | fewer rows than announced, a page twice, or rows that moved meanwhile |
/// | `rows.notData` | a web page in place of data, with 200 |
/// | `http.status` | a status that is no success; the portal has answered 500 for days |
/// | `rows.malformed`, `rows.cut`, `rows.encoding`, `rows.empty` | JSON that is none, or not all of it |
public struct TaipeiOpenData: Sendable {
  /// The address of the portal, to which the paths of its API are added.
  public var base: URL
  /// Which of its two APIs is asked.
  public var form: Form
  /// How many rows are asked for at once, 1 to 1,000.
  public var pageSize: Int { didSet { pageSize = Self.validPageSize(pageSize) } }
  /// How many pages are asked for at most; 1,000 unless told otherwise.
  public var maximumPageCount: Int
  /// The `User-Agent` that is sent; nil leaves it to the transport. The portal has answered agents that
  /// do not look like a browser with an error page.
  public var userAgent: String?
  /// How long a page may take; a minute unless told otherwise.
  public var timeout: Duration
  /// How many bytes a page may have; 32 MiB unless told otherwise.
  public var pageLimit: Int

  package let transport: any Transport

  /// Makes a reader of the portal.
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

  /// The portal, `https://data.taipei`.
  public static var portal: URL { URL(literal: "https://data.taipei") }

  /// What is sent as `User-Agent` unless told otherwise.
  public static var defaultUserAgent: String { "Mozilla/5.0 (compatible; FieldKit)" }

  private static func validPageSize(_ size: Int) -> Int { min(max(size, 1), 1000) }

  /// An API of the portal.
  public struct Form: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String
    /// Makes a form from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Today's: `/api/v1/dataset/{rid}?scope=resourceAquire&limit=…&offset=…`.
    public static var v1: Self { Self(rawValue: "v1") }
    /// The one of 2014 to 2019, for mirrors and recorded answers:
    /// `/opendata/datalist/apiAccess?scope=resourceAquire&rid={rid}&limit=…&offset=…`.
    public static var retired: Self { Self(rawValue: "retired") }
  }
}

extension TaipeiOpenData {
  /// The address of a page of a resource.
  ///
  /// - Parameters:
  ///   - resource: The id of the data.
  ///   - text: What the rows have to contain in any of their columns; nil for all rows.
  ///   - offset: How many rows come before the page.
  /// - Throws: `FieldError` with the code `input.invalid` when ``base`` takes no path or query.
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
      path = "/api/v1/dataset/\(PercentEncoding.component(resource.rawValue))"
    }
    if let text, !text.isEmpty { items.append(("q", text)) }
    items += [("limit", String(pageSize)), ("offset", String(offset))]
    var root = base.absoluteString
    while root.hasSuffix("/") { root.removeLast() }
    guard let url = URL(string: root + path, encodingInvalidCharacters: false) else {
      throw FieldError(
        .invalidInput, "\(base.absoluteString) cannot be the address of data.taipei")
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
