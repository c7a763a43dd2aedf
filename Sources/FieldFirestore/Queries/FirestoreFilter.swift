package import FieldCore

/// A condition on documents.
///
/// ```swift
/// let long: FirestoreFilter = .all([
///   .field("minutes", .greaterThan, 30), .any([.field("pet", .equal, "mesh"), .field("pet", .equal, "rex")]),
/// ])
/// ```
public indirect enum FirestoreFilter: Sendable, Hashable {
  /// A comparison of a field with a value.
  ///
  /// Null and NaN can only be compared with `.equal` and `.notEqual`.
  case field(FirestoreFieldPath, Operator, FirestoreValue)
  /// All of the conditions.
  case all([FirestoreFilter])
  /// At least one of the conditions.
  case any([FirestoreFilter])

  /// An operator that compares a field with a value.
  public enum Operator: String, Sendable, Hashable, CaseIterable {
    /// The field is less than the value, and of the same kind.
    case lessThan = "LESS_THAN"
    /// The field is less than or equal to the value, and of the same kind.
    case lessThanOrEqual = "LESS_THAN_OR_EQUAL"
    /// The field is greater than the value, and of the same kind.
    case greaterThan = "GREATER_THAN"
    /// The field is greater than or equal to the value, and of the same kind.
    case greaterThanOrEqual = "GREATER_THAN_OR_EQUAL"
    /// The field is equal to the value; 3 equals 3.0.
    case equal = "EQUAL"
    /// The field exists, isn't null, and isn't equal to the value.
    case notEqual = "NOT_EQUAL"
    /// The field is an array that contains the value.
    case arrayContains = "ARRAY_CONTAINS"
    /// The field is equal to an element of the value.
    case `in` = "IN"
    /// The field is an array that contains an element of the value.
    case arrayContainsAny = "ARRAY_CONTAINS_ANY"
    /// The field exists, isn't null, and isn't equal to any element of the value.
    case notIn = "NOT_IN"

    /// Creates the operator with a symbol of Google's libraries, such as `>=` or `array-contains`.
    ///
    /// Returns `nil` if there is none.
    public init?(symbol: String) {
      switch symbol {
      case "<": self = .lessThan
      case "<=": self = .lessThanOrEqual
      case ">": self = .greaterThan
      case ">=": self = .greaterThanOrEqual
      case "==": self = .equal
      case "!=": self = .notEqual
      case "array-contains": self = .arrayContains
      case "in": self = .in
      case "array-contains-any": self = .arrayContainsAny
      case "not-in": self = .notIn
      default: return nil
      }
    }

    var isInequality: Bool {
      switch self {
      case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual, .notIn: true
      case .equal, .arrayContains, .in, .arrayContainsAny: false
      }
    }
  }

  /// The comparisons of the filter, in order.
  package var comparisons: [(path: FirestoreFieldPath, operator: Operator, value: FirestoreValue)] {
    switch self {
    case .field(let path, let comparison, let value): [(path, comparison, value)]
    case .all(let filters), .any(let filters): filters.flatMap(\.comparisons)
    }
  }

  /// The fields that are compared with inequality operators, in order and each once.
  package var inequalityPaths: [FirestoreFieldPath] {
    Set(comparisons.filter { $0.operator.isInequality }.map(\.path)).sorted()
  }

  /// Returns the filter with document IDs resolved to references.
  func resolved(
    reference: (FirestoreValue) throws(FieldError) -> FirestoreValue
  ) throws(FieldError) -> FirestoreFilter {
    switch self {
    case .all(let filters): return .all(try Self.each(filters, reference))
    case .any(let filters): return .any(try Self.each(filters, reference))
    case .field(let path, let comparison, let value):
      try path.check()
      try Self.check(comparison, value)
      guard path.isDocumentID else { return self }
      switch (comparison, value) {
      case (.in, .array(let elements)), (.notIn, .array(let elements)):
        return .field(path, comparison, .array(try elements.map(reference)))
      case (.arrayContains, _), (.arrayContainsAny, _), (.in, _), (.notIn, _):
        throw FirestoreQuery.invalid("a document ID can't be compared with \(comparison.rawValue)")
      default: return .field(path, comparison, try reference(value))
      }
    }
  }

  private static func each(
    _ filters: [FirestoreFilter],
    _ reference: (FirestoreValue) throws(FieldError) -> FirestoreValue
  ) throws(FieldError) -> [FirestoreFilter] {
    guard !filters.isEmpty else { throw FirestoreQuery.invalid("a composite filter is empty") }
    return try filters.map { filter throws(FieldError) in
      try filter.resolved(reference: reference)
    }
  }

  private static func check(_ comparison: Operator, _ value: FirestoreValue) throws(FieldError) {
    switch comparison {
    case .equal, .notEqual: break
    case .in, .notIn, .arrayContainsAny:
      let most = comparison == .notIn ? 10 : 30
      guard let elements = value.array, (1...most).contains(elements.count) else {
        throw FirestoreQuery.invalid(
          "\(comparison.rawValue) needs an array of 1 through \(most) values")
      }
    default:
      if value.isNull || value.isNaN {
        throw FirestoreQuery.invalid(
          "\(value.isNull ? "null" : "NaN") can only be compared with == and !=")
      }
    }
  }

  package var json: JSONValue {
    switch self {
    case .field(let path, let comparison, let value):
      let field = path.json
      if value.isNull || value.isNaN, comparison == .equal || comparison == .notEqual {
        let name = (comparison == .equal ? "IS_" : "IS_NOT_") + (value.isNull ? "NULL" : "NAN")
        return ["unaryFilter": ["field": field, "op": .string(name)]]
      }
      let name = comparison.rawValue
      return ["fieldFilter": ["field": field, "op": .string(name), "value": value.json]]
    case .all(let filters): return Self.composite("AND", filters)
    case .any(let filters): return Self.composite("OR", filters)
    }
  }

  private static func composite(_ name: String, _ filters: [FirestoreFilter]) -> JSONValue {
    if filters.count == 1 { return filters[0].json }
    return ["compositeFilter": ["op": .string(name), "filters": .array(filters.map(\.json))]]
  }

  package init(json: JSONValue) throws(FirestoreValueProblem) {
    if let composite = json["compositeFilter"] {
      let filters = try (composite["filters"]?.elements ?? []).map(FirestoreFilter.init(json:))
      guard !filters.isEmpty else { throw FirestoreValueProblem("has an empty composite filter") }
      switch composite["op"]?.string {
      case "AND"?: self = .all(filters)
      case "OR"?: self = .any(filters)
      default: throw FirestoreValueProblem("has a composite filter without an operator")
      }
    } else if let filter = json["fieldFilter"] {
      guard let path = FirestoreFieldPath(json: filter["field"]),
        let comparison = filter["op"]?.string.flatMap(Operator.init(rawValue:)),
        let value = filter["value"]
      else { throw FirestoreValueProblem("has a filter without a field, operator, or value") }
      self = .field(path, comparison, try FirestoreValue(json: value))
    } else if let filter = json["unaryFilter"] {
      guard let path = FirestoreFieldPath(json: filter["field"]) else {
        throw FirestoreValueProblem("has a filter without a field")
      }
      switch filter["op"]?.string {
      case "IS_NULL"?: self = .field(path, .equal, .null)
      case "IS_NAN"?: self = .field(path, .equal, .double(.nan))
      case "IS_NOT_NULL"?: self = .field(path, .notEqual, .null)
      case "IS_NOT_NAN"?: self = .field(path, .notEqual, .double(.nan))
      default: throw FirestoreValueProblem("has a filter without an operator")
      }
    } else {
      throw FirestoreValueProblem("has a filter of an unknown kind")
    }
  }

  /// Returns a Boolean value that indicates whether a document meets the condition.
  package func matches(_ value: (FirestoreFieldPath) -> FirestoreValue?) -> Bool {
    switch self {
    case .all(let filters): filters.allSatisfy { $0.matches(value) }
    case .any(let filters): filters.contains { $0.matches(value) }
    case .field(let path, let comparison, let operand):
      value(path).map { comparison.matches($0, operand) } ?? false
    }
  }
}

extension FirestoreFilter.Operator {
  fileprivate func matches(_ value: FirestoreValue, _ operand: FirestoreValue) -> Bool {
    /// Ranges never span kinds, and NaN is outside every range.
    var order: FirestoreValue.Order? {
      value.rank == operand.rank && !value.isNaN && !operand.isNaN ? value.order(to: operand) : nil
    }
    func contains(_ elements: [FirestoreValue]?, _ element: FirestoreValue) -> Bool {
      elements?.contains { $0.isEquivalent(to: element) } ?? false
    }
    switch self {
    case .lessThan: return order == .before
    case .lessThanOrEqual: return order == .before || order == .same
    case .greaterThan: return order == .after
    case .greaterThanOrEqual: return order == .after || order == .same
    case .equal: return value.isEquivalent(to: operand)
    case .notEqual: return !value.isNull && !value.isEquivalent(to: operand)
    case .arrayContains: return contains(value.array, operand)
    case .in: return contains(operand.array, value)
    case .arrayContainsAny: return operand.array?.contains { contains(value.array, $0) } ?? false
    case .notIn:
      return !value.isNull && !contains(operand.array, .null) && !contains(operand.array, value)
    }
  }
}

extension FirestoreFieldPath {
  var json: JSONValue { ["fieldPath": .string(description)] }

  init?(json: JSONValue?) {
    guard let path = json?["fieldPath"]?.string.flatMap(Self.reading) else { return nil }
    self = path
  }

  /// Throws if the path, or a name on it, is empty.
  func check() throws(FieldError) {
    if segments.isEmpty || segments.contains("") {
      throw FirestoreQuery.invalid("the field path \"\(description)\" has an empty name")
    }
  }
}
