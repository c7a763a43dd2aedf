/// A range of values with optional ends, as a value that can be stored, compared and printed.
///
/// It is made from Swift's own ranges wherever a query takes a ``ValueRangeConvertible``:
///
/// ```swift
/// MeteoriteQuery(years: 2011...)
/// MeteoriteQuery(years: 1900..<1950, massInGrams: 1000...)
/// ```
public struct ValueRange<Value: Comparable & Hashable>: Hashable {
  /// The least value, itself included; nil when there is none.
  public var lower: Value?
  /// The greatest value; nil when there is none.
  public var upper: Value?
  /// Whether ``upper`` itself belongs to the range.
  public var includesUpper: Bool

  /// Makes a range.
  public init(lower: Value?, upper: Value?, includesUpper: Bool = true) {
    self.lower = lower
    self.upper = upper
    self.includesUpper = includesUpper
  }

  /// Whether the value lies in the range.
  public func contains(_ value: Value) -> Bool {
    if let lower, value < lower { return false }
    guard let upper else { return true }
    return includesUpper ? value <= upper : value < upper
  }
}

extension ValueRange: Sendable where Value: Sendable {}
extension ValueRange: Codable where Value: Codable {}

/// Swift's ranges, and ``ValueRange`` itself: what a query takes as a range.
public protocol ValueRangeConvertible<Value> {
  /// The type of the range's ends.
  associatedtype Value: Comparable & Hashable
  /// The range as a ``ValueRange``.
  var valueRange: ValueRange<Value> { get }
}

extension ValueRange: ValueRangeConvertible {
  /// The range itself.
  public var valueRange: ValueRange<Value> { self }
}

extension ClosedRange: ValueRangeConvertible where Bound: Hashable {
  /// The range from its lower to its upper bound, both included.
  public var valueRange: ValueRange<Bound> { ValueRange(lower: lowerBound, upper: upperBound) }
}

extension Range: ValueRangeConvertible where Bound: Hashable {
  /// The range from its lower bound up to its upper bound, which is not included.
  public var valueRange: ValueRange<Bound> {
    ValueRange(lower: lowerBound, upper: upperBound, includesUpper: false)
  }
}

extension PartialRangeFrom: ValueRangeConvertible where Bound: Hashable {
  /// The range from its lower bound on.
  public var valueRange: ValueRange<Bound> { ValueRange(lower: lowerBound, upper: nil) }
}

extension PartialRangeThrough: ValueRangeConvertible where Bound: Hashable {
  /// The range to its upper bound, included.
  public var valueRange: ValueRange<Bound> { ValueRange(lower: nil, upper: upperBound) }
}

extension PartialRangeUpTo: ValueRangeConvertible where Bound: Hashable {
  /// The range to its upper bound, not included.
  public var valueRange: ValueRange<Bound> {
    ValueRange(lower: nil, upper: upperBound, includesUpper: false)
  }
}
