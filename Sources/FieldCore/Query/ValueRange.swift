/// A range of values with optional bounds, which can be stored, compared, and printed.
///
/// Swift's own ranges convert to it wherever a query takes a ``ValueRangeConvertible``:
///
/// ```swift
/// MeteoriteQuery(years: 2011...)
/// MeteoriteQuery(years: 1900..<1950, massInGrams: 1000...)
/// ```
public struct ValueRange<Value: Comparable & Hashable>: Hashable {
  /// The lower bound, which is included; `nil` if there is none.
  public var lower: Value?
  /// The upper bound; `nil` if there is none.
  public var upper: Value?
  /// A Boolean value that indicates whether the range includes ``upper``.
  public var includesUpper: Bool

  /// Creates a range.
  public init(lower: Value?, upper: Value?, includesUpper: Bool = true) {
    self.lower = lower
    self.upper = upper
    self.includesUpper = includesUpper
  }

  /// Returns a Boolean value that indicates whether the range contains a value.
  public func contains(_ value: Value) -> Bool {
    if let lower, value < lower { return false }
    guard let upper else { return true }
    return includesUpper ? value <= upper : value < upper
  }
}

extension ValueRange: Sendable where Value: Sendable {}
extension ValueRange: Codable where Value: Codable {}

/// A type that a query accepts as a range: Swift's ranges and ``ValueRange`` itself.
public protocol ValueRangeConvertible<Value> {
  /// The type of the range's bounds.
  associatedtype Value: Comparable & Hashable
  /// The range as a ``ValueRange``.
  var valueRange: ValueRange<Value> { get }
}

extension ValueRange: ValueRangeConvertible {
  /// The range itself.
  public var valueRange: ValueRange<Value> { self }
}

extension ClosedRange: ValueRangeConvertible where Bound: Hashable {
  /// The range from the lower through the upper bound.
  public var valueRange: ValueRange<Bound> { ValueRange(lower: lowerBound, upper: upperBound) }
}

extension Range: ValueRangeConvertible where Bound: Hashable {
  /// The range from the lower bound up to, but not including, the upper bound.
  public var valueRange: ValueRange<Bound> {
    ValueRange(lower: lowerBound, upper: upperBound, includesUpper: false)
  }
}

extension PartialRangeFrom: ValueRangeConvertible where Bound: Hashable {
  /// The range from the lower bound on.
  public var valueRange: ValueRange<Bound> { ValueRange(lower: lowerBound, upper: nil) }
}

extension PartialRangeThrough: ValueRangeConvertible where Bound: Hashable {
  /// The range through the upper bound.
  public var valueRange: ValueRange<Bound> { ValueRange(lower: nil, upper: upperBound) }
}

extension PartialRangeUpTo: ValueRangeConvertible where Bound: Hashable {
  /// The range up to, but not including, the upper bound.
  public var valueRange: ValueRange<Bound> {
    ValueRange(lower: nil, upper: upperBound, includesUpper: false)
  }
}

/// The order in which a query returns records by one of their values.
///
/// In both orders, records with equal values are in the order in which they were first inserted, and records without
/// a value come after all others. A value that doesn't equal itself (NaN) counts as none.
public enum ValueOrder: Sendable, Hashable, Codable {
  /// The smallest value first.
  case ascending
  /// The greatest value first.
  case descending
}
