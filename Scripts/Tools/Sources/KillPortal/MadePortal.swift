internal import FieldCore
internal import FieldPortals
@preconcurrency internal import Foundation

/// A portal with any number of rows, which are made as they are requested.
///
/// It is written apart from the fakes, whose rows are in memory: an ArcGIS service, a CKAN datastore with offsets or with ranges, an
/// OpenDataSoft or a Socrata dataset, or one of data.taipei.
final class MadePortal: Transport {
  enum Family: String, CaseIterable, Sendable {
    case arcGIS, ckan, newCKAN, openDataSoft, socrata, taipei
  }

  let family: Family
  private let rows: Int
  private let generation = Mutexed(0)

  init(_ family: Family, rows: Int) {
    (self.family, self.rows) = (family, rows)
  }

  var trees: MadeTrees { MadeTrees(rows: rows, generation: generation.value) }

  /// Changes some rows, and removes others.
  func beginGeneration(_ number: Int) { generation.value = number }

  /// Returns the source of a portal's rows.
  static func source(
    _ family: Family, at url: URL, pageSize: Int, over transport: any Transport
  ) throws -> PortalRows<MadeTree> {
    let options = SyncOptions(pageSize: pageSize)
    return switch family {
    case .arcGIS:
      PortalRows(
        arcGIS: url.appending(path: "FeatureServer/0"), transport: transport, options: options)
    case .ckan, .newCKAN:
      PortalRows(ckan: "trees", at: url, transport: transport, options: options)
    case .openDataSoft:
      PortalRows(openDataSoft: "trees", at: url, transport: transport, options: options)
    case .socrata:
      PortalRows(
        socrata: try SODADataset("made-tree", at: url.absoluteString), transport: transport,
        options: options)
    case .taipei:
      PortalRows(
        taipei: TaipeiDataset(id: "trees", name: "trees", resources: ["trees"]),
        on: TaipeiOpenData(
          transport: transport, base: url, pageSize: pageSize, maximumPageCount: 10_000))
    }
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let items =
      URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    let path = request.url.path
    let text =
      switch family {
      case .arcGIS where path.hasSuffix("/query"): features(query)
      case .arcGIS: layer
      case .ckan, .newCKAN: search(query)
      case .openDataSoft where path.hasSuffix("/exports/json"): export(query)
      case .openDataSoft where path.hasSuffix("/records"):
        #"{"total_count":\#(trees.count),"results":[]}"#
      case .openDataSoft: dataset
      case .socrata: resource(query)
      case .taipei: slice(query)
      }
    return TransportResponse(
      status: 200, fields: ["Content-Type": "application/json"], body: .text(text))
  }

  /// The number at the end of a condition, such as `OBJECTID > 7`.
  private static func bound(_ condition: String?) -> Int? {
    condition?.split { !$0.isNumber }.last.flatMap { Int($0) }
  }

  /// Returns the cells of a row, or only its ID.
  private static func cells(_ tree: MadeTree, isWhole: Bool) -> String {
    guard isWhole else { return "\"treeid\":\(tree.id)" }
    let height = tree.height.map { "\($0)" } ?? "null"
    return
      "\"treeid\":\(tree.id),\"species\":\"\(tree.species)\",\"height\":\(height),\"version\":\(tree.version)"
  }

  // MARK: ArcGIS

  private var layer: String {
    let fields = [
      ("OBJECTID", "OID"), ("treeid", "Integer"), ("species", "String"), ("height", "Double"),
      ("version", "Integer"),
    ].map { #"{"name":"\#($0)","type":"esriFieldType\#($1)","alias":"\#($0)"}"# }
    return
      #"{"id":0,"name":"Trees","type":"Table","objectIdField":"OBJECTID","maxRecordCount":100000,"capabilities":"Query","#
      + #""advancedQueryCapabilities":{"supportsPagination":true,"supportsOrderBy":true},"#
      + #""editingInfo":{"lastEditDate":\#(1_767_225_600_000 + generation.value)},"fields":[\#(fields.joined(separator: ","))]}"#
  }

  private func features(_ query: [String: String]) -> String {
    let trees = trees
    if query["returnCountOnly"] == "true" { return #"{"count":\#(trees.count)}"# }
    // The object ID is one more than the ID.
    let first = query["where"] == "1=1" ? 0 : Self.bound(query["where"]) ?? 0
    if query["returnIdsOnly"] == "true" {
      let ids = trees.trees(from: first, limit: .max).map { "\($0.id + 1)" }
      return #"{"objectIdFieldName":"OBJECTID","objectIds":[\#(ids.joined(separator: ","))]}"#
    }
    let limit = query["resultRecordCount"].flatMap { Int($0) } ?? 100_000
    let found = trees.trees(from: first, limit: limit + 1)
    let isWhole = query["outFields"] == "*"
    let rows = found.prefix(limit).map {
      "{\"attributes\":{\"OBJECTID\":\($0.id + 1),\(Self.cells($0, isWhole: isWhole))}}"
    }
    return #"{"objectIdFieldName":"OBJECTID","features":[\#(rows.joined(separator: ","))]"#
      + (found.count > limit ? #","exceededTransferLimit":true}"# : "}")
  }

  // MARK: CKAN

  private func search(_ query: [String: String]) -> String {
    let trees = trees
    let limit = query["limit"].flatMap { Int($0) } ?? 100
    var (first, total) = (0, trees.count)
    if family == .newCKAN, let bound = Self.bound(query["filters"]) {
      // The number of a row is one more than its ID.
      first = bound
      total = trees.trees(from: bound, limit: limit + 1).count
    } else if query["filters"] != nil {
      return
        #"{"success":false,"error":{"__type":"Validation Error","filters":["invalid filters"]}}"#
    } else if let offset = query["offset"].flatMap({ Int($0) }) {
      first = trees.id(at: offset)
    }
    let isWhole = query["fields"] == nil
    let rows = trees.trees(from: first, limit: limit).map {
      "{\"_id\":\($0.id + 1),\(Self.cells($0, isWhole: isWhole))}"
    }
    let fields = ["_id", "treeid", "species", "height", "version"].map {
      #"{"id":"\#($0)","type":"text"}"#
    }
    let next = family == .newCKAN ? #","next_page":{"filters":{}}"# : ""
    return
      #"{"success":true,"result":{"fields":[\#(fields.joined(separator: ","))],"records":[\#(rows.joined(separator: ","))],"total":\#(total)\#(next)}}"#
  }

  // MARK: OpenDataSoft

  private var dataset: String {
    let fields = [
      ("treeid", "int"), ("species", "text"), ("height", "double"), ("version", "int"),
    ].map { #"{"name":"\#($0)","label":"\#($0)","type":"\#($1)"}"# }
    return
      #"{"dataset_id":"trees","has_records":true,"fields":[\#(fields.joined(separator: ","))],"#
      + #""metas":{"default":{"data_processed":"2026-01-01T00:00:0\#(generation.value % 10)+00:00","records_count":\#(trees.count)}}}"#
  }

  private func export(_ query: [String: String]) -> String {
    let first = query["where"].flatMap { Self.bound($0) }.map { $0 + 1 } ?? 0
    let limit = query["limit"].flatMap { Int($0) } ?? .max
    let isWhole = query["select"] == nil
    let rows = trees.trees(from: first, limit: limit < 0 ? .max : limit).map {
      "{\(Self.cells($0, isWhole: isWhole))}"
    }
    return "[\n\(rows.joined(separator: ",\n"))\n]"
  }

  // MARK: Socrata

  /// The time of a generation, at which all rows that it changed were updated.
  private static func updated(_ version: Int) -> String {
    String(format: "2026-01-01T00:00:%02d.000Z", version)
  }

  private func resource(_ query: [String: String]) -> String {
    let (trees, condition) = (trees, query["$where"] ?? "")
    if query["$select"]?.hasPrefix("count(") == true {
      return #"[{"row_count":"\#(trees.count)"}]"#
    }
    // The portal's number of a row is its ID with zeros before it; times and numbers are the only texts in quotes.
    let texts = condition.split(separator: "'").enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
    let key =
      condition.contains(":id > ") ? texts.last.flatMap { Int($0.drop { !$0.isNumber }) } : nil
    let limit = query["$limit"].flatMap { Int($0) } ?? 1000
    let found: [MadeTree]
    if query["$order"] == ":id" {
      let from = condition.contains(":updated_at >= ") ? texts.first ?? "" : ""
      found = trees.trees(from: (key ?? -1) + 1, limit: limit) { Self.updated($0.version) >= from }
    } else {
      // Rows are in the order of their times, and those of the same time in the order of their numbers.
      let time = texts.first ?? ""
      var ordered: [MadeTree] = []
      for version in 0...generation.value where ordered.count < limit {
        let updated = Self.updated(version)
        guard updated > time || key != nil && updated == time else { continue }
        ordered += trees.trees(
          from: updated == time ? (key ?? -1) + 1 : 0, limit: limit - ordered.count
        ) { $0.version == version }
      }
      found = ordered
    }
    let isWhole = query["$select"]?.hasPrefix(":id") != true
    let rows = found.map {
      let number = String(format: "row-%09d", $0.id)
      return
        #"{":id":"\#(number)",":updated_at":"\#(Self.updated($0.version))",\#(Self.cells($0, isWhole: isWhole))}"#
    }
    return "[\(rows.joined(separator: ",\n"))]"
  }

  // MARK: data.taipei

  private func slice(_ query: [String: String]) -> String {
    let (trees, limit) = (trees, query["limit"].flatMap { Int($0) } ?? 1000)
    let first = trees.id(at: query["offset"].flatMap { Int($0) } ?? 0)
    let rows = trees.trees(from: first, limit: limit).map {
      "{\"_id\":\($0.id + 1),\(Self.cells($0, isWhole: true))}"
    }
    return
      #"{"result":{"limit":\#(limit),"count":\#(trees.count),"results":[\#(rows.joined(separator: ","))]}}"#
  }
}

/// A value that several threads change.
final class Mutexed<Value: Sendable>: Sendable {
  private let lock = NSLock()
  private nonisolated(unsafe) var content: Value

  init(_ value: Value) { content = value }

  var value: Value {
    get { lock.withLock { content } }
    set { lock.withLock { content = newValue } }
  }
}
