internal import FieldCore

/// The type of an expression.
enum FakeSoQLType: Hashable {
  case text, number, boolean, floating, fixed, point, location, id, version
  /// A null literal, which is compatible with every type.
  case null
  /// A type without operations.
  case other(String)

  init(_ type: FakeSODAServer.ColumnType) {
    switch type {
    case .text: self = .text
    case .number: self = .number
    case .checkbox: self = .boolean
    case .floatingTimestamp: self = .floating
    case .fixedTimestamp: self = .fixed
    case .point: self = .point
    case .location: self = .location
    default: self = .other(type.rawValue)
    }
  }

  /// The name in errors and headers.
  var name: String {
    switch self {
    case .text: "text"
    case .number: "number"
    case .boolean: "checkbox"
    case .floating: "floating_timestamp"
    case .fixed: "fixed_timestamp"
    case .point: "point"
    case .location: "location"
    case .id: "row_identifier"
    case .version: "row_version"
    case .null: "null"
    case .other(let name): name
    }
  }

  /// A Boolean value that indicates whether `<` is defined.
  var isOrdered: Bool {
    switch self {
    case .text, .number, .boolean, .floating, .fixed, .id, .version, .null: true
    case .point, .location, .other: false
    }
  }
}

/// The value of an expression.
enum FakeSoQLValue: Hashable, Sendable {
  case null
  /// A value without operations.
  case opaque
  case text(String)
  case number(Double)
  case boolean(Bool)
  /// A date, in microseconds since 1970.
  case time(Int64)
  /// A hidden number of a row or of a version.
  case hidden(Int64)
  /// A location in degrees.
  case place(longitude: Double, latitude: Double)

  /// Returns -1, 0, or 1, or `nil` if the values can't be compared, such as if one is null. Text is
  /// compared by its bytes.
  static func order(_ left: Self, _ right: Self) -> Int? {
    switch (left, right) {
    case (.text(let one), .text(let other)):
      let (one, other) = (one.utf8, other.utf8)
      return one.elementsEqual(other) ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
    case (.number(let one), .number(let other)): return one < other ? -1 : one == other ? 0 : 1
    case (.time(let one), .time(let other)), (.hidden(let one), .hidden(let other)):
      return one < other ? -1 : one == other ? 0 : 1
    case (.boolean(let one), .boolean(let other)): return one == other ? 0 : other ? -1 : 1
    default: return nil
    }
  }

  var number: Double? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  var isTrue: Bool { self == .boolean(true) }
  var isNull: Bool { self == .null }

  /// A Boolean value that indicates whether there is nothing to compare.
  var isNothing: Bool { self == .null || self == .opaque }

  init(_ cell: FakeSODAServer.Cell, as type: FakeSoQLType) {
    switch (type, cell) {
    case (_, .null): self = .null
    case (.text, .text(let text)), (.text, .number(let text)), (.text, .timestamp(let text)):
      self = .text(text)
    case (.number, .number(let text)), (.number, .text(let text)):
      self = FakeSoQLNumber.value(text).map(Self.number) ?? .opaque
    case (.floating, .timestamp(let text)), (.floating, .text(let text)),
      (.fixed, .timestamp(let text)), (.fixed, .text(let text)):
      self = FakeSoQLTime.micros(text, isFixed: type == .fixed).map(Self.time) ?? .opaque
    case (.boolean, .checkbox(let value)): self = .boolean(value)
    case (.point, .point(let longitude, let latitude)):
      self = .place(longitude: longitude, latitude: latitude)
    case (.location, .location(let latitude, let longitude, _)):
      guard let latitude = latitude.flatMap(FakeSoQLNumber.value),
        let longitude = longitude.flatMap(FakeSoQLNumber.value)
      else {
        self = .opaque
        return
      }
      self = .place(longitude: longitude, latitude: latitude)
    default: self = .opaque
    }
  }

  /// Returns the geodesic distance of a location to another one in meters, or `nil` if one is invalid.
  func meters(latitude: Double, longitude: Double) -> Double? {
    guard case .place(let east, let north) = self,
      let from = try? Coordinate(latitude: north, longitude: east),
      let to = try? Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    return from.distance(to: to).meters
  }
}

/// Numbers as SoQL compares them here: as doubles. A portal has decimals of any length, so two
/// numbers that differ after the seventeenth digit are equal here but not there.
enum FakeSoQLNumber {
  /// Returns the number in a text, or `nil` if it isn't a finite number.
  static func value(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns the text of a number, without a fraction if it is an integer.
  static func text(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 0x1p53 { return String(Int64(value)) }
    return "\(value)"
  }
}
