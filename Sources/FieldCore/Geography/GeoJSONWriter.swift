/// Writes places as GeoJSON (RFC 7946): a feature collection of points, or one point at a time.
///
/// ```swift
/// var writer = GeoJSONWriter()
/// writer.add(coordinate, id: .integer(1), properties: [("name", .string("Aachen"))])
/// let bytes = writer.finish()
/// ```
///
/// Positions are longitude first. Longitudes above 180 are turned to -180 … 180, as the RFC wants
/// them, and -0 is written as 0. Numbers have the fewest digits that give the same double again.
/// Members come in the order given; names given twice are written twice.
package struct GeoJSONWriter: Sendable {
  /// A value of a feature's property.
  package enum Value: Sendable, Hashable {
    /// Text.
    case string(String)
    /// A number; what is not finite is written as null, since JSON has no word for it.
    case number(Double)
    /// A whole number.
    case integer(Int)
    /// True or false.
    case boolean(Bool)
    /// Nothing.
    case null
  }

  private var bytes: [UInt8]
  private var isFirst = true

  /// Starts a collection.
  package init() {
    bytes = Array(#"{"type":"FeatureCollection","features":["#.utf8)
  }

  /// Adds a feature: a point, or one without a place when the coordinate is nil (RFC 7946, 3.2).
  ///
  /// An id other than a string or a number is left out, since the RFC knows no other.
  package mutating func add(
    _ coordinate: Coordinate?, id: Value? = nil, properties: [(name: String, value: Value)] = []
  ) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    Self.writeFeature(coordinate, id: id, properties: properties, to: &bytes)
  }

  /// Ends the collection and gives its bytes, UTF-8.
  package consuming func finish() -> [UInt8] {
    bytes.append(contentsOf: "]}".utf8)
    return bytes
  }

  /// A single feature.
  package static func feature(
    _ coordinate: Coordinate?, id: Value? = nil, properties: [(name: String, value: Value)] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    writeFeature(coordinate, id: id, properties: properties, to: &bytes)
    return bytes
  }

  /// A bare point.
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

  /// Swift's description of a double is the shortest that reads back the same, and is JSON's form
  /// apart from the words for what is not finite.
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
