extension SoQL {
  /// A simple filter: a parameter of the address that is a column and the value it has to have.
  ///
  /// `?fall=Fell&nametype=Valid` gives the rows that meet both, and the `$where` too.
  public struct Filter: Hashable, Sendable, Codable {
    /// The column.
    public var column: Column
    /// The value that the column has to have; null for "none".
    public var value: Value

    /// Makes a filter.
    public init(_ column: Column, equals value: Value) {
      self.column = column
      self.value = value
    }

    /// The filter as a condition.
    public var condition: Condition {
      value == .null ? SoQL.column(column).isNull : SoQL.column(column) == value
    }

    /// The value as a parameter has it, without quotes; nil when the filter cannot be a parameter: null
    /// and the empty text have no text of their own, a name in backticks is none of a parameter, and
    /// `queryTimeoutSeconds` means something else there.
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
