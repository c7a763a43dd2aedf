extension SoQL {
  /// A simple filter: a URL parameter with a column and its required value.
  ///
  /// `?fall=Fell&nametype=Valid` returns the rows that match both, and the `$where` condition as
  /// well.
  public struct Filter: Hashable, Sendable, Codable {
    /// The column to compare.
    public var column: Column
    /// The required value; null matches rows without a value.
    public var value: Value

    /// Creates a filter.
    public init(_ column: Column, equals value: Value) {
      self.column = column
      self.value = value
    }

    /// The filter as a condition.
    public var condition: Condition {
      value == .null ? SoQL.column(column).isNull : SoQL.column(column) == value
    }

    /// The value as a parameter, without quotes; `nil` if the filter can't be a parameter. Null and
    /// the empty text have no text of their own, a parameter can't have a name in backticks, and
    /// `queryTimeoutSeconds` has another meaning there.
    var parameterValue: String? {
      guard "\(column)" == column.name, column.name != "queryTimeoutSeconds" else { return nil }
      return switch value.content {
      case .text(let text), .fixedTimestamp(let text), .floatingTimestamp(let text):
        text.isEmpty ? nil : text
      case .number(let text): text
      case .boolean(let value): value ? "true" : "false"
      case .geometry, .null: nil
      }
    }
  }
}
