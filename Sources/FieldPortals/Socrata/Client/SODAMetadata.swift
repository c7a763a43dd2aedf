internal import FieldCore
public import FieldFoundation

/// What a portal says of a dataset.
public struct SODAMetadata: Identifiable, Sendable, Hashable, Codable {
  /// The dataset's id.
  public var id: String
  /// The title.
  public var name: String
  /// The columns that are not hidden, in the portal's order.
  public var columns: [Column]
  /// When a row last changed; nil when the portal does not say.
  public var rowsUpdatedAt: Date?
  /// When the dataset or its description last changed; nil when the portal does not say.
  public var lastModified: Date?

  /// A column of a dataset.
  public struct Column: Sendable, Hashable, Codable {
    /// The name in queries and rows.
    public var name: String
    /// The title.
    public var title: String
    /// The type in the portal's words, such as `number`, `text`, `calendar_date` and `point`.
    public var type: String

    /// Makes a column.
    public init(name: String, title: String, type: String) {
      self.name = name
      self.title = title
      self.type = type
    }
  }

  /// Makes a description.
  public init(
    id: String, name: String, columns: [Column], rowsUpdatedAt: Date? = nil,
    lastModified: Date? = nil
  ) {
    self.id = id
    self.name = name
    self.columns = columns
    self.rowsUpdatedAt = rowsUpdatedAt
    self.lastModified = lastModified
  }

  /// Reads what `/api/views/….json` gives.
  init(_ value: JSONValue, operation: String) throws(FieldError) {
    guard let id = value["id"]?.string, let columns = value["columns"]?.elements else {
      throw FieldError(
        .notData, "the answer is no description of a dataset: `id` or `columns` is not there",
        operation: operation)
    }
    self.id = id
    name = value["name"]?.string ?? id
    self.columns = columns.compactMap { column in
      guard let name = column["fieldName"]?.string,
        column["flags"]?.elements?.contains(.string("hidden")) != true
      else { return nil }
      return Column(
        name: name, title: column["name"]?.string ?? name,
        type: column["dataTypeName"]?.string ?? "text")
    }
    rowsUpdatedAt = Self.date(value["rowsUpdatedAt"])
    lastModified = Self.date(value["viewLastModified"])
  }

  /// Seconds since 1970.
  private static func date(_ value: JSONValue?) -> Date? {
    value?.double.map { Date(timeIntervalSince1970: $0) }
  }
}

extension SODAMetadata.Column: Identifiable {
  /// The name of the column in queries.
  public var id: String { name }
}
