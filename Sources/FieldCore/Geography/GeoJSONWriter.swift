/// A writer of GeoJSON (RFC 7946): a feature collection of points, or single points.
///
/// ```swift
/// var writer = GeoJSONWriter()
/// writer.add(coordinate, id: .integer(1), properties: [("name", .string("Aachen"))])
/// let bytes = writer.finish()
/// ```
///
/// Longitude comes first in positions. As the RFC recommends, longitudes above 180 are moved to
/// -180 … 180, and -0 is written as 0. Numbers have the fewest digits that read back as the same
/// value. Members are written in the given order, even if a name occurs twice.
package struct GeoJSONWriter: Sendable {
  /// A value of a feature's property.
  package enum Value: Sendable, Hashable {
    /// A string.
    case string(String)
    /// A number, which is written as `null` if it isn't finite, because JSON can't represent it.
    case number(Double)
    /// An integer.
    case integer(Int)
    /// A Boolean value.
    case boolean(Bool)
    /// A null value.
    case null
  }

  private var bytes: [UInt8]
  private var isFirst = true

  /// Creates a writer of a collection.
  package init() {
    bytes = Array(#"{"type":"FeatureCollection","features":["#.utf8)
  }

  /// Adds a feature: a point, or one without a geometry if the coordinate is `nil` (RFC 7946, 3.2).
  ///
  /// An ID that is neither a string nor a number is omitted, because the RFC allows no other.
  package mutating func add(
    _ coordinate: Coordinate?, id: Value? = nil, properties: [(name: String, value: Value)] = []
  ) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    Self.writeFeature(coordinate, id: id, properties: properties, to: &bytes)
  }

  /// Ends the collection and returns its bytes, in UTF-8.
  package consuming func finish() -> [UInt8] {
    bytes.append(contentsOf: "]}".utf8)
    return bytes
  }

  /// Returns a single feature.
  package static func feature(
    _ coordinate: Coordinate?, id: Value? = nil, properties: [(name: String, value: Value)] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    writeFeature(coordinate, id: id, properties: properties, to: &bytes)
    return bytes
  }

  /// Returns a bare point.
  package static func point(_ coordinate: Coordinate) -> [UInt8] {
    var bytes: [UInt8] = []
    writePoint(coordinate, to: &bytes)
    return bytes
  }

  private static func writeFeature(
    _ coordinate: Coordinate?, id: Value?, properties: [(name: String, value: Value)],
    to bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: #"{"type":"Feature""#.utf8)
    if let id, id.isIdentifier {
      bytes.append(contentsOf: #","id":"#.utf8)
      write(id, to: &bytes)
    }
    bytes.append(contentsOf: #","geometry":"#.utf8)
    if let coordinate {
      writePoint(coordinate, to: &bytes)
    } else {
      bytes.append(contentsOf: "null".utf8)
    }
    bytes.append(contentsOf: #","properties":{"#.utf8)
    for (index, property) in properties.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSONText.append(property.name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      write(property.value, to: &bytes)
    }
    bytes.append(contentsOf: "}}".utf8)
  }

  private static func writePoint(_ coordinate: Coordinate, to bytes: inout [UInt8]) {
    let longitude = coordinate.longitude
    bytes.append(contentsOf: #"{"type":"Point","coordinates":["#.utf8)
    write(longitude > 180 ? longitude - 360 : longitude, to: &bytes)
    bytes.append(UInt8(ascii: ","))
    write(coordinate.latitude, to: &bytes)
    bytes.append(contentsOf: "]}".utf8)
  }

  private static func write(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .string(let text): JSONText.append(text, to: &bytes)
    case .number(let number): write(number, to: &bytes)
    case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
    case .boolean(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    case .null: bytes.append(contentsOf: "null".utf8)
    }
  }

  /// Swift's description of a double is the shortest that reads back as the same value, and is
  /// valid JSON except for values that aren't finite.
  private static func write(_ number: Double, to bytes: inout [UInt8]) {
    guard number.isFinite else { return bytes.append(contentsOf: "null".utf8) }
    let text = (number + 0).description  // -0 + 0 is 0
    bytes.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
  }
}

extension GeoJSONWriter.Value {
  fileprivate var isIdentifier: Bool {
    switch self {
    case .string, .integer: true
    case .number(let number): number.isFinite
    case .boolean, .null: false
    }
  }
}
