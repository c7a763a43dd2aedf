public import FieldCore
internal import FieldFoundation

/// The values of a column, each with the number of its rows, as an OpenDataSoft portal counts them.
public struct PortalFacet: Sendable, Hashable, Codable, Identifiable {
  /// A value of a column.
  public struct Value: Sendable, Hashable, Codable {
    /// The value as text, such as a species, or the year of a date.
    public var text: String
    /// The number of rows with the value.
    public var count: Int

    /// Creates a value.
    public init(text: String, count: Int) {
      self.text = text
      self.count = count
    }
  }

  /// The name of the column.
  public var column: String
  /// The values, in the portal's order: the most frequent first.
  public var values: [Value]

  /// Creates the values of a column.
  public init(column: String, values: [Value]) {
    self.column = column
    self.values = values
  }

  /// The name of the column.
  public var id: String { column }
}

extension PortalDataset {
  /// Returns the values of columns, each with the number of its rows, without reading the rows.
  ///
  /// ```swift
  /// let dataset = try PortalDataset(URL(string: "https://data.example.fr/explore/dataset/trees")!)
  /// for facet in try await dataset.facets(of: ["species"], over: transport) {
  ///   for value in facet.values { print(value.text, value.count) }
  /// }
  /// ```
  ///
  /// Only OpenDataSoft counts values, and only of the columns that the publisher has made facets. The portal limits the number of values
  /// per column. For a value with parts, such as a date, it counts the first part, such as the year.
  ///
  /// - Parameters:
  ///   - columns: The columns. Defaults to all that are facets.
  ///   - transport: The transport to send the request with, which is used as it is.
  ///   - token: The source of the token; `nil` sends none.
  ///   - clock: The clock to wait with.
  /// - Throws: `FieldError` with the code `portal.unsupported` if the family has no facets, or `portal.query` if a column isn't a
  ///   facet.
  public func facets(
    of columns: [String] = [], over transport: any Transport, token: PortalToken? = nil,
    clock: any FieldClock = .system
  ) async throws -> [PortalFacet] {
    let operation = "portal.facets"
    guard case .openDataSoft(let root, let id) = place else {
      throw FieldError(
        .portalUnsupported, "\(family) doesn't count the values of columns.", operation: operation)
    }
    let client = PortalClient(family: family, transport: transport, token: token, clock: clock)
    let answer = try await client.ask(
      OpenDataSoftTable.address(of: id, at: root).appending(path: "facets"),
      columns.map { ("facet", $0) }, operation: operation)
    guard let elements = answer.outline["facets"]?.elements else {
      throw FieldError(
        .notData, "The response doesn't count values: `facets` is missing.", operation: operation)
    }
    return elements.compactMap(PortalFacet.init)
  }
}

extension PortalFacet {
  fileprivate init?(_ value: JSONValue) {
    guard let name = value["name"]?.string else { return nil }
    self.init(
      column: name,
      values: (value["facets"]?.elements ?? []).compactMap { value in
        guard let text = value["value"]?.string ?? value["name"]?.string,
          let count = value["count"]?.integer
        else { return nil }
        return Value(text: text, count: count)
      })
  }
}
