public import FieldCore
public import FieldFoundation

/// A portal's description of a dataset: what it is, its rows and columns, its license, and how fresh it is.
public struct PortalDescription: Sendable, Hashable {
  /// The family of the portal.
  public let family: PortalFamily
  /// The title of the dataset.
  public var name: String
  /// The publisher's description, as plain text.
  public var summary: String
  /// The visible columns, in the portal's order; empty for a file, whose columns aren't known before it is read.
  public var columns: [PortalColumn]
  /// The number of rows; `nil` if the portal doesn't say.
  public var rowCount: Int?
  /// The time when the rows last changed; `nil` if the portal doesn't say.
  public var updatedAt: Date?
  /// The source to credit beside the data, with its license, as far as the portal states them.
  public var dataSource: DataSource
  /// The API's URL of the rows.
  public let url: URL
  let rows: Rows

  /// The way to read the rows.
  enum Rows: Sendable, Hashable {
    case socrata(SODADataset)
    case arcGIS(URL)
    case ckan(URL, String)
    case openDataSoft(URL, String)
    case taipei(URL, TaipeiDataset)
    case file(URL)
  }

  /// A Boolean value that indicates whether the rows are those of a file, which is downloaded as a whole.
  public var isFile: Bool {
    if case .file = rows { return true }
    return false
  }

  /// Returns a source of the rows for a ``/FieldCore/Catalog``.
  ///
  /// The source credits ``dataSource``.
  ///
  /// - Parameters:
  ///   - type: The type of the records.
  ///   - transport: The transport to send requests with, which is used as it is.
  ///   - token: The source of the token; `nil` sends none. It isn't sent for a file, nor to data.taipei.
  ///   - clock: The clock to wait with.
  ///   - options: The options for reading the rows.
  ///   - operation: The stable ID of the requests.
  public func rows<Record: StoredRecord & RowReadable>(
    of type: Record.Type = Record.self, transport: any Transport, token: PortalToken? = nil,
    clock: any FieldClock = .system, options: SyncOptions = SyncOptions(),
    operation: String = "portal"
  ) -> any RecordSource<Record> {
    switch rows {
    case .socrata(let dataset):
      PortalRows<Record>(
        socrata: dataset, key: Record.keyColumn?.field(among: columns.map(\.name)),
        transport: transport, token: token, clock: clock, dataSource: dataSource,
        options: options, operation: operation)
    case .arcGIS(let layer):
      PortalRows<Record>(
        arcGIS: layer, transport: transport, token: token, clock: clock, dataSource: dataSource,
        options: options, operation: operation)
    case .ckan(let portal, let resource):
      PortalRows<Record>(
        ckan: resource, at: portal, transport: transport, token: token, clock: clock,
        dataSource: dataSource, options: options, operation: operation)
    case .openDataSoft(let portal, let dataset):
      PortalRows<Record>(
        openDataSoft: dataset, at: portal, transport: transport, token: token, clock: clock,
        dataSource: dataSource, options: options, operation: operation)
    case .taipei(let portal, let dataset):
      PortalRows<Record>(
        taipei: dataset,
        on: TaipeiOpenData(transport: transport, base: portal, pageSize: options.pageSize),
        dataSource: dataSource, operation: operation)
    case .file(let url):
      Download<Record>(
        url, transport: transport, dataSource: dataSource, operation: "\(operation).file")
    }
  }
}

extension DataSource {
  /// Creates a source from a portal's metadata, in which anything may be missing.
  init(
    portal name: String, publisher: String?, page: URL, license: String?, attribution: String?
  ) {
    let publisher = publisher.flatMap(\.nonEmpty) ?? page.host() ?? ""
    self.init(
      name: name, chineseName: name, publisher: publisher, page: page,
      license: license.flatMap(\.nonEmpty) ?? "",
      attribution: attribution.flatMap(\.nonEmpty)
        ?? [name, publisher].filter { !$0.isEmpty }.joined(separator: ", "))
  }
}

extension String {
  /// The text, or `nil` if it has nothing but space.
  var nonEmpty: String? { contains { !$0.isWhitespace } ? self : nil }

  /// The text without tags, as portals have HTML in their descriptions.
  var withoutTags: String {
    var text = ""
    var isInside = false
    for character in self {
      switch character {
      case "<": isInside = true
      case ">" where isInside:
        isInside = false
        text.append(" ")
      default: if !isInside { text.append(character) }
      }
    }
    let entities = [
      "&nbsp;": " ", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&amp;": "&",
    ]
    for (entity, character) in entities.sorted(by: { $0.value > $1.value }) {
      text = text.replacing(entity, with: character)
    }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
