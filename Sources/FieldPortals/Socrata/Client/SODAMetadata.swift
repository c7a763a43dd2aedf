internal import FieldCore
public import FieldFoundation

/// The portal's description of a dataset.
public struct SODAMetadata: Identifiable, Sendable, Hashable, Codable {
  /// The dataset's ID.
  public var id: String
  /// The title of the dataset.
  public var name: String
  /// The visible columns, in the portal's order.
  public var columns: [Column]
  /// The date when a row last changed; `nil` if the portal doesn't give one.
  public var rowsUpdatedAt: Date?
  /// The date when the dataset or its description last changed; `nil` if the portal doesn't give
  /// one.
  public var lastModified: Date?

  /// A column of a dataset.
  public typealias Column = PortalColumn

  /// Creates a description.
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

  /// Creates a description by reading the response of `/api/views/….json`.
  init(_ value: JSONValue, operation: String) throws(FieldError) {
    guard let id = value["id"]?.string, let columns = value["columns"]?.elements else {
      throw FieldError(
        .notData, "The response doesn't describe a dataset: `id` or `columns` is missing.",
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

  /// Returns the date at a number of seconds since 1970.
  private static func date(_ value: JSONValue?) -> Date? {
    value?.double.map { Date(timeIntervalSince1970: $0) }
  }
}
