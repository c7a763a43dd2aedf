package import FieldCore

/// A change that the server computes from a field's current value.
public struct FirestoreTransform: Sendable, Hashable {
  /// The field.
  public var path: FirestoreFieldPath
  /// The change.
  public var kind: Kind

  /// Creates a transform.
  public init(_ path: FirestoreFieldPath, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// A change that the server computes.
  public enum Kind: Sendable, Hashable {
    /// Sets the field to the time of the commit, in milliseconds.
    case serverTimestamp
    /// Adds a number.
    ///
    /// A field that isn't a number counts as zero; whole numbers stop at their limits.
    case increment(FirestoreValue)
    /// Sets the field to the larger of its value and a number.
    case maximum(FirestoreValue)
    /// Sets the field to the smaller of its value and a number.
    case minimum(FirestoreValue)
    /// Appends those elements that the array doesn't contain.
    case arrayUnion([FirestoreValue])
    /// Removes all elements that equal any of the given ones.
    case arrayRemove([FirestoreValue])
  }

  /// The operands of the transform.
  var operand: [FirestoreValue] {
    switch kind {
    case .serverTimestamp: []
    case .increment(let value), .maximum(let value), .minimum(let value): [value]
    case .arrayUnion(let values), .arrayRemove(let values): values
    }
  }

  package var json: JSONValue {
    let (key, value): (String, JSONValue) =
      switch kind {
      case .serverTimestamp: ("setToServerValue", .string("REQUEST_TIME"))
      case .increment(let value): ("increment", value.json)
      case .maximum(let value): ("maximum", value.json)
      case .minimum(let value): ("minimum", value.json)
      case .arrayUnion(let values): ("appendMissingElements", Self.array(values))
      case .arrayRemove(let values): ("removeAllFromArray", Self.array(values))
      }
    return ["fieldPath": .string(path.description), key: value]
  }

  private static func array(_ values: [FirestoreValue]) -> JSONValue {
    ["values": .array(values.map(\.json))]
  }

  package init(json: JSONValue) throws(FirestoreValueProblem) {
    guard case .object(let members) = json, members.count == 2,
      let text = json["fieldPath"]?.string, let path = FirestoreFieldPath.reading(text),
      let member = members.first(where: { $0.key != "fieldPath" })
    else { throw FirestoreValueProblem("has a transform without a field and one change") }
    func values() throws(FirestoreValueProblem) -> [FirestoreValue] {
      try FirestoreValue(json: ["arrayValue": member.value]).array ?? []
    }
    func number() throws(FirestoreValueProblem) -> FirestoreValue {
      let value = try FirestoreValue(json: member.value)
      guard value.number != nil else {
        throw FirestoreValueProblem("has a transform whose operand isn't a number")
      }
      return value
    }
    switch (member.key, member.value) {
    case ("setToServerValue", .string("REQUEST_TIME")): self.init(path, .serverTimestamp)
    case ("increment", _): self.init(path, .increment(try number()))
    case ("maximum", _): self.init(path, .maximum(try number()))
    case ("minimum", _): self.init(path, .minimum(try number()))
    case ("appendMissingElements", _): self.init(path, .arrayUnion(try values()))
    case ("removeAllFromArray", _): self.init(path, .arrayRemove(try values()))
    default: throw FirestoreValueProblem("has a transform that isn't known: \(member.key)")
    }
  }
}

extension FirestoreTransform.Kind {
  /// Returns the value of a field after the transform.
  ///
  /// The result equals the server's: whole numbers saturate, a whole number and a floating-point
  /// number result in a floating-point number, and a maximum or minimum with NaN is NaN.
  ///
  /// - Parameters:
  ///   - value: The value before the transform, or `nil` if there is no field.
  ///   - time: The time of the commit, which is truncated to milliseconds.
  public func applied(to value: FirestoreValue?, at time: FirestoreTimestamp) -> FirestoreValue {
    switch self {
    case .serverTimestamp:
      return .timestamp(
        FirestoreTimestamp(checking: time.seconds, time.nanoseconds / 1_000_000 * 1_000_000) ?? time
      )
    case .increment(let operand):
      switch (value, operand) {
      case (.integer(let left)?, .integer(let right)):
        let (sum, overflow) = left.addingReportingOverflow(right)
        return .integer(overflow ? (right < 0 ? .min : .max) : sum)
      default:
        guard let left = value?.number, let right = operand.number else { return operand }
        return .double(left + right)
      }
    case .maximum(let operand): return Self.chosen(value, operand, .before)
    case .minimum(let operand): return Self.chosen(value, operand, .after)
    case .arrayUnion(let operands):
      var elements = value?.array ?? []
      for operand in operands where !elements.contains(where: { $0.isEquivalent(to: operand) }) {
        elements.append(operand)
      }
      return .array(elements)
    case .arrayRemove(let operands):
      return .array(
        (value?.array ?? []).filter { element in
          !operands.contains { $0.isEquivalent(to: element) }
        })
    }
  }

  /// Returns the operand if the value compares to it in the given order, and the value otherwise.
  /// Of equal numbers, the existing value stays.
  private static func chosen(
    _ value: FirestoreValue?, _ operand: FirestoreValue, _ order: FirestoreValue.Order
  ) -> FirestoreValue {
    guard let value, value.number != nil else { return operand }
    if value.isNaN { return value }
    if operand.isNaN { return operand }
    return value.order(to: operand) == order ? operand : value
  }
}
