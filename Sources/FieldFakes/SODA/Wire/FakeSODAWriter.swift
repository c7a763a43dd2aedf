internal import FieldCore

/// A writer of the rows in responses.
enum FakeSODAWriter {
  /// Returns `[{…}` newline `,{…}` … `]\n`, as Socrata streams it; a null value has no key.
  static func json(_ result: FakeSoQLResult) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    let keys = result.outputs.map { Array("\(FakeJSON.quoted($0.name)):".utf8) }
    for (index, row) in result.rows.enumerated() {
      if index > 0 { bytes.append(contentsOf: "\n,".utf8) }
      append(row, keys, to: &bytes)
    }
    bytes.append(contentsOf: "]\n".utf8)
    return bytes
  }

  /// Returns the only row as an object.
  static func object(_ result: FakeSoQLResult) -> [UInt8] {
    json(result).dropFirst().dropLast(2) + [UInt8(ascii: "\n")]
  }

  private static func append(
    _ row: [FakeSODAServer.Cell], _ keys: [[UInt8]], to bytes: inout [UInt8]
  ) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for (cell, key) in zip(row, keys) where cell != .null {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      bytes.append(contentsOf: key)
      append(cell, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends a cell as JSON.
  static func append(_ cell: FakeSODAServer.Cell, to bytes: inout [UInt8]) {
    switch cell {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .text(let text), .number(let text), .timestamp(let text): FakeJSON.append(text, to: &bytes)
    case .checkbox(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .point(let longitude, let latitude):
      bytes.append(contentsOf: #"{"type":"Point","coordinates":[\#(longitude),\#(latitude)]}"#.utf8)
    case .location(let latitude, let longitude, let address):
      let members = [
        ("latitude", latitude), ("longitude", longitude), ("human_address", address),
      ].compactMap { name, text in text.map { "\"\(name)\":\(FakeJSON.quoted($0))" } }
      bytes.append(contentsOf: "{\(members.joined(separator: ","))}".utf8)
    case .json(let text): bytes.append(contentsOf: text.utf8)
    }
  }

  /// Returns a header line and a line for each row, with every cell in quotes, as Socrata writes
  /// it.
  static func csv(_ result: FakeSoQLResult) -> [UInt8] {
    let lines = [result.outputs.map(\.name)] + result.rows.map { $0.map(plain) }
    return Array(lines.map { "\($0.map(\.inQuotes).joined(separator: ","))\n" }.joined().utf8)
  }

  private static func plain(_ cell: FakeSODAServer.Cell) -> String {
    switch cell {
    case .null: ""
    case .text(let text), .number(let text), .timestamp(let text), .json(let text): text
    case .checkbox(let value): value ? "true" : "false"
    case .point(let longitude, let latitude): "POINT (\(longitude) \(latitude))"
    case .location(let latitude?, let longitude?, _): "(\(latitude), \(longitude))"
    case .location: ""
    }
  }

  /// Returns a feature collection: the first location of a row is its geometry, and everything else
  /// its properties, in which null is null.
  static func geoJSON(_ result: FakeSoQLResult) -> [UInt8] {
    let place = result.outputs.firstIndex { $0.type == .point || $0.type == .location }
    var bytes = Array(#"{"type":"FeatureCollection","features":["#.utf8)
    for (index, row) in result.rows.enumerated() {
      if index > 0 { bytes.append(contentsOf: "\n,".utf8) }
      bytes.append(contentsOf: #"{"type":"Feature","geometry":"#.utf8)
      let geometry = place.map { FakeSoQLValue(row[$0], as: result.outputs[$0].type) }
      if case .place(let longitude, let latitude)? = geometry {
        append(.point(longitude: longitude, latitude: latitude), to: &bytes)
      } else {
        append(.null, to: &bytes)
      }
      bytes.append(contentsOf: #","properties":{"#.utf8)
      var isFirst = true
      for (column, cell) in row.enumerated() where column != place {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        FakeJSON.append(result.outputs[column].name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(cell, to: &bytes)
      }
      bytes.append(contentsOf: "}}".utf8)
    }
    let end = #"],"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}}"#
    return bytes + "\(end)\n".utf8
  }
}
