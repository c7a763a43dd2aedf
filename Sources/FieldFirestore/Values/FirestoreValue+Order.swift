internal import FieldCore

extension FirestoreValue {
  /// Returns a Boolean value that indicates whether the value comes before another in Firestore's order.
  ///
  /// The order of kinds is null, Boolean values, numbers, timestamps, strings, bytes, references,
  /// places, arrays, vectors, and maps. Whole and floating-point numbers are compared by their exact
  /// values, NaN first. Strings are compared by their UTF-8 bytes.
  public func precedes(_ other: FirestoreValue) -> Bool { order(to: other) == .before }

  /// Returns a Boolean value that indicates whether two values are equal in Firestore's order, like
  /// 3 and 3.0, or 0 and -0.
  public func isEquivalent(to other: FirestoreValue) -> Bool { order(to: other) == .same }

  /// The relation of a value to another one.
  package enum Order: Sendable {
    case before, same, after

    package var reversed: Order {
      switch self {
      case .before: .after
      case .same: .same
      case .after: .before
      }
    }

    init<Value: Comparable>(_ left: Value, _ right: Value) {
      self = left < right ? .before : right < left ? .after : .same
    }

    /// Compares sequences element by element, then by length.
    static func of<Left: Sequence, Right: Sequence>(
      _ left: Left, _ right: Right, by order: (Left.Element, Right.Element) -> Order
    ) -> Order {
      var (left, right) = (left.makeIterator(), right.makeIterator())
      while true {
        switch (left.next(), right.next()) {
        case (nil, nil): return .same
        case (nil, _?): return .before
        case (_?, nil): return .after
        case (let first?, let second?):
          let found = order(first, second)
          if found != .same { return found }
        }
      }
    }

    static func bytes(_ left: String, _ right: String) -> Order {
      left.isASCII && right.isASCII
        ? Order(left, right) : .of(left.utf8, right.utf8) { Order($0, $1) }
    }
  }

  /// The rank of the kind; whole and floating-point numbers share one.
  package var rank: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .integer, .double: 2
    case .timestamp: 3
    case .string: 4
    case .bytes: 5
    case .reference: 6
    case .geoPoint: 7
    case .array: 8
    case .map: vector == nil ? 10 : 9
    case .unknown: 11
    }
  }

  package func order(to other: FirestoreValue) -> Order {
    switch (self, other) {
    case (.boolean(let left), .boolean(let right)): Order(left ? 1 : 0, right ? 1 : 0)
    case (.integer(let left), .integer(let right)): Order(left, right)
    case (.double(let left), .double(let right)): Self.order(left, right)
    case (.integer(let left), .double(let right)): Self.order(left, right)
    case (.double(let left), .integer(let right)): Self.order(right, left).reversed
    case (.timestamp(let left), .timestamp(let right)): Order(left, right)
    case (.string(let left), .string(let right)): .bytes(left, right)
    case (.bytes(let left), .bytes(let right)): .of(left, right) { Order($0, $1) }
    case (.reference(let left), .reference(let right)): Self.order(ofNames: left, right)
    case (.geoPoint(let left), .geoPoint(let right)): Self.order(left, right)
    case (.array(let left), .array(let right)): .of(left, right) { $0.order(to: $1) }
    case (.map(let left), .map(let right)): Self.order(self, left, other, right)
    case (.unknown(let left), .unknown(let right)):
      .of([left.kind, left.content], [right.kind, right.content], by: Order.bytes)
    default: Order(rank, other.rank)
    }
  }

  /// Documents are ordered by the segments of their names; numeric IDs of the form `__id7__`
  /// precede all other segments.
  package static func order(ofNames left: String, _ right: String) -> Order {
    var (left, right) = (left[...], right[...])
    // Names in one collection have all segments but one in common, which needn't be taken apart.
    if left.base.isASCII, right.base.isASCII,
      let slash = left.utf8.lastIndex(of: UInt8(ascii: "/"))
    {
      let parent = String(left[...slash])
      if right.base.hasPrefix(parent) {
        left = left[left.utf8.index(after: slash)...]
        right = right[right.utf8.index(right.startIndex, offsetBy: parent.utf8.count)...]
        if right.utf8.lastIndex(of: UInt8(ascii: "/")) == nil {
          return order(ofSegments: left, right)
        }
      }
    }
    return .of(left.parts(at: "/"), right.parts(at: "/"), by: order(ofSegments:_:))
  }

  private static func order(ofSegments left: Substring, _ right: Substring) -> Order {
    switch (numericID(left), numericID(right)) {
    case (let left?, let right?): Order(left, right)
    case (_?, nil): .before
    case (nil, _?): .after
    case (nil, nil): .bytes(String(left), String(right))
    }
  }

  private static func numericID(_ segment: Substring) -> Int64? {
    guard segment.utf8.first == UInt8(ascii: "_"), segment.utf8.starts(with: "__id".utf8),
      segment.hasSuffix("__"), segment.utf8.count > 6
    else { return nil }
    return Int64(segment.dropFirst(4).dropLast(2))
  }

  private static func order(_ left: Double, _ right: Double) -> Order {
    left.isNaN || right.isNaN
      ? Order(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1) : Order(left, right)
  }

  /// Compares the exact values, because converting the whole number to `Double` would lose digits.
  private static func order(_ left: Int64, _ right: Double) -> Order {
    if right.isNaN { return .after }
    if right >= 0x1p63 { return .before }
    if right < -0x1p63 { return .after }
    let whole = right.rounded(.towardZero)
    let found = Order(left, Int64(whole))
    return found == .same ? Order(whole, right) : found
  }

  private static func order(_ left: FirestoreGeoPoint, _ right: FirestoreGeoPoint) -> Order {
    let latitudes = order(left.latitude, right.latitude)
    return latitudes == .same ? order(left.longitude, right.longitude) : latitudes
  }

  private static func order(
    _ left: FirestoreValue, _ leftFields: FirestoreFields, _ right: FirestoreValue,
    _ rightFields: FirestoreFields
  ) -> Order {
    switch (left.vector, right.vector) {
    case (let left?, let right?):
      let sizes = Order(left.count, right.count)
      return sizes == .same ? .of(left, right, by: order) : sizes
    case (_?, nil): return .before
    case (nil, _?): return .after
    case (nil, nil):
      return .of(leftFields, rightFields) { left, right in
        let names = Order.bytes(left.name, right.name)
        return names == .same ? left.value.order(to: right.value) : names
      }
    }
  }
}
