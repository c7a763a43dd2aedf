internal import FieldCore
internal import FieldFoundation

/// The description of a dataset on an OpenDataSoft portal.
struct OpenDataSoftDescription: Sendable {
  var id: String
  var fields: [PortalColumn]
  /// The metadata of the dataset, such as its title and license.
  var metas: JSONValue
  /// A Boolean value that indicates whether the dataset has rows at all, and not only files.
  var hasRecords: Bool

  /// Reads the response to a request for a dataset, or an element of a catalog's response.
  init(_ value: JSONValue, operation: String) throws(FieldError) {
    guard let id = value["dataset_id"]?.string, let fields = value["fields"]?.elements else {
      throw FieldError(
        .notData, "The response doesn't describe a dataset: `dataset_id` or `fields` is missing.",
        operation: operation)
    }
    self.id = id
    self.fields = fields.compactMap { field in
      guard let name = field["name"]?.string else { return nil }
      return PortalColumn(
        name: name, title: field["label"]?.string ?? name, type: field["type"]?.string ?? "text")
    }
    metas = value["metas"]?["default"] ?? .null
    hasRecords = value["has_records"] != .bool(false)
  }

  /// The number of rows when they were last processed.
  var rowCount: Int? { metas["records_count"]?.integer }

  /// The version of the rows: the time when the portal last processed them, and their number, because rows that are pushed to a
  /// dataset aren't processed.
  var version: String? {
    metas["data_processed"]?.string.map { "\($0) \(rowCount.map { String($0) } ?? "")" }
  }

  /// The time when the portal last processed the rows, or the one that the publisher states.
  var updatedAt: Date? {
    let parser = TimestampParser(zone: .utc)
    return [metas["data_processed"], metas["modified"]].lazy
      .compactMap { $0?.string.flatMap { parser.instant($0)?.date } }.first
  }
}
